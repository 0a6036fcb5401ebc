"""A page in headless Chromium, driven through pipes: nothing but the browser is needed."""

import fcntl
import json
import os
import shutil
import subprocess
import tempfile
import time

PROGRAM = next((path for path in map(shutil.which, ('chromium', 'chromium-browser', 'google-chrome')) if path), None)


def move_up(descriptor):
    """The same as a descriptor above those that have a meaning."""
    moved = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, 20)
    os.close(descriptor)
    return moved


class Page:
    """One page of a browser of its own; `problems` are the errors that it reports."""

    def __init__(self, address, width=1200, height=900):
        self.profile = tempfile.TemporaryDirectory(prefix='tenrex-browser-', ignore_cleanup_errors=True)
        commands, self.out = os.pipe()
        self.answers, events = os.pipe()
        # The browser reads descriptor 3 and writes 4, which may be anything here.
        commands, events = (move_up(each) for each in (commands, events))
        options = ['--headless=new', '--no-sandbox', '--disable-gpu', '--remote-debugging-pipe', '--no-first-run',
                   '--window-size=%d,%d' % (width, height), '--user-data-dir=' + self.profile.name, 'about:blank']
        self.process = subprocess.Popen(['bash', '-c', 'exec "$@" 3<&%d 4>&%d' % (commands, events), 'bash', PROGRAM, *options],
                                        pass_fds=(commands, events), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL)
        os.close(commands)
        os.close(events)
        self.buffer, self.number, self.session, self.problems = b'', 0, None, []
        target = self.call('Target.createTarget', url='about:blank')['targetId']
        self.session = self.call('Target.attachToTarget', targetId=target, flatten=True)['sessionId']
        for domain in ('Runtime', 'Log', 'Page'):
            self.call(domain + '.enable')
        self.call('Page.navigate', url=address)

    def call(self, method, **parameters):
        self.number += 1
        message = {'id': self.number, 'method': method, 'params': parameters}
        if self.session is not None:
            message['sessionId'] = self.session
        os.write(self.out, json.dumps(message).encode() + b'\0')
        while True:
            answer = self.next_message()
            if answer.get('id') == self.number:
                if 'error' in answer:
                    raise RuntimeError('%s: %s' % (method, answer['error']))
                return answer['result']

    def next_message(self):
        while b'\0' not in self.buffer:
            some = os.read(self.answers, 1 << 16)
            if not some:
                raise RuntimeError('the browser ended')
            self.buffer += some
        text, self.buffer = self.buffer.split(b'\0', 1)
        message = json.loads(text)
        if message.get('method') == 'Runtime.exceptionThrown':
            details = message['params']['exceptionDetails']
            self.problems.append(details.get('exception', {}).get('description', details['text']))
        if message.get('method') == 'Log.entryAdded' and message['params']['entry']['level'] == 'error':
            self.problems.append(message['params']['entry']['text'])
        return message

    def value(self, expression):
        """What the expression gives in the page."""
        answer = self.call('Runtime.evaluate', expression=expression, returnByValue=True, awaitPromise=True)
        if 'exceptionDetails' in answer:
            raise RuntimeError('%s: %s' % (expression, answer['exceptionDetails']))
        return answer['result'].get('value')

    def wait(self, condition, seconds=30):
        """Until the expression is true in the page."""
        end = time.monotonic() + seconds
        while not self.value(condition):
            if time.monotonic() > end:
                raise RuntimeError('the page never came to ' + condition)
            time.sleep(0.02)

    def type(self, text):
        """Puts a text where the cursor is, as keys do."""
        self.call('Input.insertText', text=text)

    def close(self):
        self.process.kill()
        self.process.wait()
        os.close(self.out)
        os.close(self.answers)
        self.profile.cleanup()
