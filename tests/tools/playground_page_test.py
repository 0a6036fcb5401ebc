"""The page of the playground in a browser, if one is installed: what comes of typing, of links, of examples."""

import json
import unittest

import browser
from playground_server import Playground
from program import TestCase

ANSWERED = 'document.body !== null && document.body.dataset.state === "answered"'


@unittest.skipIf(browser.PROGRAM is None, 'there is no Chromium')
class InABrowser(TestCase):
    @classmethod
    def setUpClass(cls):
        cls.playground = Playground('--seconds', '60', 'sum(a*b)', 'a=tensor(x[2]):[1,2]', 'b=tensor(x[2]):[3,4]')
        cls.page = browser.Page(cls.playground.link)

    @classmethod
    def tearDownClass(cls):
        cls.page.close()
        cls.playground.end()

    def setUp(self):
        super().setUp()
        self.page.wait(ANSWERED)

    def text(self, selector):
        return self.page.value('document.querySelector(%s).textContent' % json.dumps(selector))

    def texts(self, selector):
        return self.page.value('[...document.querySelectorAll(%s)].map(e => e.textContent)' % json.dumps(selector))

    def write(self, text):
        """Types a text in the place of the expression."""
        self.page.value('document.getElementById("expression").focus(); document.getElementById("expression").select()')
        self.page.type(text)
        self.page.wait(ANSWERED)

    def open(self, fragment):
        self.page.value('document.body.dataset.state = ""; location.hash = %s' % json.dumps(fragment))
        self.page.wait(ANSWERED)

    def test_a_link(self):
        self.open('#e=a%2B1&n=a&v=2')
        self.assertEqual((self.text('#value'), self.text('#type')), ('3', 'double'))
        self.assertEqual(self.page.value('document.getElementById("expression").value'), 'a+1')

    def test_errors_while_typing(self):
        self.open('#e=1&n=a&v=2')
        self.write('a + "ü" == bb')
        self.assertEqual(self.texts('#marks mark.error'), ['bb'])
        self.assertEqual(self.texts('#issues .error'), ["unknown symbol 'bb'"])
        self.assertEqual(self.text('#value'), '')
        self.page.value('[...document.querySelectorAll("#issues button")].find(b => b.textContent === "give bb a value").click()')
        self.page.wait(ANSWERED)
        self.assertEqual(self.texts('#issues .error'), [])
        self.assertEqual(self.text('#value'), '0')
        self.assertIn('n=bb&v=1', self.page.value('location.hash'))
        self.write('a *')
        self.assertEqual(self.texts('#issues .error'), ['expected a value, but the text ends here'])

    def test_results(self):
        self.open('#e=a*b&n=a&v=tensor(k{}):{p:1,q:2}&n=b&v=tensor(x[2]):[1,2]')
        self.assertEqual(self.texts('#tables th'), ['k\\x', '0', '1', 'p', 'q'])
        self.assertEqual(self.texts('#tables td'), ['1', '2', '2', '4'])
        self.assertRegex(self.text('#times'), r'^checked in .* compiled in .* evaluated in ')
        for name in ('plan', 'graph'):
            self.assertGreater(self.page.value('document.querySelector("#%s svg").getBoundingClientRect().height' % name), 50)
        # No text reaches beyond its box.
        self.assertEqual(self.page.value('''[...document.querySelectorAll("svg g")].filter(g => {
            const box = g.querySelector("rect").getBBox();
            return [...g.querySelectorAll("text")].some(t => { const at = t.getBBox(); return at.x + at.width > box.x + box.width; });
          }).map(g => g.textContent)'''), [])

    def test_markup_in_names_is_text(self):
        self.open('#e=' + '"<img src=x onerror=alert(1)>"'.replace('<', '%3C') + '&n=%3Cb%3E&v=%3Ci%3E')
        self.assertEqual(self.page.value('document.querySelectorAll("img, b, i").length'), 0)

    def test_examples(self):
        for name in self.texts('#examples option')[1:]:
            self.page.value('''document.body.dataset.state = "";
              document.getElementById("examples").value = %s;
              document.getElementById("examples").dispatchEvent(new Event("change"))''' % json.dumps(name))
            self.page.wait(ANSWERED)
            self.assertEqual(self.texts('#issues li'), [], name)
            self.assertNotEqual(self.text('#value'), '', name)

    def test_nothing_is_too_wide(self):
        self.open('#e=tensor(x[2],y[100])(y)')
        for width in (1200, 500):
            self.page.call('Emulation.setDeviceMetricsOverride', width=width, height=800, deviceScaleFactor=1, mobile=False)
            self.assertLessEqual(self.page.value('document.documentElement.scrollWidth'), width)

    def test_zz_nothing_went_wrong(self):
        self.assertEqual(self.page.problems, [])


if __name__ == '__main__':
    unittest.main()
