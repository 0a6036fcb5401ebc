"""tenrex playground as a process of a test, and requests to it."""

import http.client
import json
import signal
import urllib.parse

import program


class Playground:
    def __init__(self, *arguments):
        self.process = program.start('playground', '--port', '0', *arguments)
        self.link = self.process.stdout.readline().decode().strip()
        if not self.link:
            raise RuntimeError(self.process.communicate()[1].decode())
        self.port = urllib.parse.urlsplit(self.link).port

    def request(self, method, path, body=None, **headers):
        """Status, headers and body of an answer."""
        connection = http.client.HTTPConnection('127.0.0.1', self.port, timeout=60)
        try:
            connection.request(method, path, body, headers)
            response = connection.getresponse()
            return response.status, response.headers, response.read()
        finally:
            connection.close()

    def post(self, body):
        """The answer to the bytes of a request."""
        status, headers, answer = self.request('POST', '/answer', body, **{'Content-Type': 'application/json'})
        assert status == 200 and headers['Content-Type'] == 'application/json', (status, answer)
        return json.loads(answer)

    def answer(self, expression, dialect='core', **inputs):
        request = {'expression': expression, 'inputs': inputs, 'dialect': dialect}
        return self.post(json.dumps(request).encode())

    def end(self, how=signal.SIGINT):
        """The exit status and what was said on standard error."""
        self.process.send_signal(how)
        err = self.process.communicate(timeout=60)[1]
        return self.process.returncode, err.decode()
