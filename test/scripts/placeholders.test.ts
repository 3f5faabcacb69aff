import { expect, test } from 'bun:test'
import { type Placeholder, parsePlaceholders, placeholderKeys } from '../../src/scripts/placeholders.ts'

/** What each placeholder of the code has around it; what is not named is nothing. */
function around(code: string): Partial<Placeholder['context']>[] {
  const parts = parsePlaceholders(code, () => true)
  const found = parts.filter((part): part is Placeholder => typeof part !== 'string')
  return found.map(({ context }) => Object.fromEntries(Object.entries(context).filter(([, value]) => value)))
}

test('The keys of a code are named once, in their order.', () => {
  expect(placeholderKeys('{{b}}{{a}} {{b}} {{ c }}')).toEqual(['b', 'a'])
})

test('Text and placeholders with a value alternate, and one without a value stays text.', () => {
  const parts = parsePlaceholders('x{{a}}{{b}}y{{c}}', (key) => key !== 'b')
  expect(parts.map((part) => (typeof part === 'string' ? part : [part.key]))).toEqual(['x', ['a'], '{{b}}y', ['c'], ''])
  expect(parsePlaceholders('x{{a}}', () => false)).toEqual(['x{{a}}'])
})

test.each<[string, Partial<Placeholder['context']>[]]>([
  ['<p>{{a}}</p>', [{}]],
  ['<p title="{{a}}">{{b}}</p>', [{ attribute: '"', leading: true }, {}]],
  ["<p title='x{{a}}'>", [{ attribute: "'" }]],
  [
    '<p title={{a}}{{b}}>',
    [
      { attribute: 'none', leading: true },
      { attribute: 'none', leading: true },
    ],
  ],
  ['<p title={{a}}x{{b}}>', [{ attribute: 'none', leading: true }, { attribute: 'none' }]],
  ['<p title = "qx{{a}}">', [{ attribute: '"' }]],
  ['<p title="qxx qx {{a}}">qxxx{{b}}', [{ attribute: '"' }, {}]],
  ['<iframe srcdoc="{{a}}">', [{ attribute: '"', leading: true, document: true }]],
  ['<p onclick="f(\'{{a}}\', {{b}})">', [{ string: "'", attribute: '"' }, { attribute: '"' }]],
  ['<p onclick="f(&quot;{{a}}&quot;)">', [{ string: '"', attribute: '"' }]],
  [
    '<p x="1" onclick="f(\'{{a}}\')" onclick="{{b}}">',
    [
      { string: "'", attribute: '"' },
      { attribute: '"', leading: true },
    ],
  ],
  ['<a href="{{a}}">', [{ attribute: '"', leading: true, address: 'scheme' }]],
  ['<p ONCLICK="f(\'{{a}}\')">', [{ string: "'", attribute: '"' }]],
  ['<p class onclick="f(\'{{a}}\')">', [{ string: "'", attribute: '"' }]],
])('In %s each placeholder has its attribute, string and place around it.', (code, expected) => {
  expect(around(code)).toEqual(expected)
})

test.each<[string, Partial<Placeholder['context']>[]]>([
  ['<script>f("{{a}}", {{b}})</script>{{c}}', [{ string: '"', element: 'script' }, { element: 'script' }, {}]],
  ['<script type="text/plain">"{{a}}"</script>', [{ string: '"', element: 'script' }]],
  ['<script type="x-template">"{{a}}"</script>', [{}]],
  ['<script type="importmap">"{{a}}"</script>', [{ string: '"', element: 'script' }]],
  ['<script type="application/ld+json">"{{a}}"</script>', [{ string: '"', element: 'script' }]],
  ['<style>a{color:{{a}}}</style>{{b}}', [{ element: 'style' }, {}]],
  ['<script>1</script><script>"{{a}}"</script>', [{ string: '"', element: 'script' }]],
  [
    '{{a}}<script>"{{b}}"</script>{{c}}<p title="{{d}}">',
    [{}, { string: '"', element: 'script' }, {}, { attribute: '"', leading: true }],
  ],
  ['<script>"{{a}}"', [{}]],
  ['<style>{{a}}</style>{{b}}</style>', [{ element: 'style' }, {}]],
  ['<script>"<script>{{a}}"</script>', [{ string: '"', element: 'script' }]],
  ['<script>"<p title={{a}}>"</script>', [{ string: '"', element: 'script' }]],
])('In %s scripts and styles are told by their element.', (code, expected) => {
  expect(around(code)).toEqual(expected)
})

test.each<[string, string]>([
  ['textarea', '<textarea>MARK</textarea>'],
  ['title', '<title>MARK</title>'],
  ['xmp', '<xmp>MARK</xmp>'],
  ['iframe', '<iframe>MARK</iframe>'],
  ['noembed', '<noembed>MARK</noembed>'],
  ['noframes', '<noframes>MARK</noframes>'],
  ['style', '<style>MARK</style>'],
  ['plaintext', '<plaintext>MARK</plaintext>'],
])('Inside of %s markup is text.', (_, code) => {
  const inside = around(code.replace('MARK', '<p title="{{a}}">'))
  expect(inside.map(({ attribute }) => attribute)).toEqual([undefined])
})

test.each<[string, Partial<Placeholder['context']>[]]>([
  ['<svg><script>"{{a}}"</script></svg>', [{ string: '"', element: 'script', within: 'foreign' }]],
  ['<math><mi><script>"{{a}}"</script></math>', [{ string: '"', element: 'script', within: 'foreign' }]],
  [
    '<svg><foreignObject><script>"{{a}}"</script></foreignObject></svg>',
    [{ string: '"', element: 'script', within: 'foreign' }],
  ],
  ['<svg></svg><script>"{{a}}"</script>', [{ string: '"', element: 'script' }]],
  ['<svg/><script>"{{a}}"</script>', [{ string: '"', element: 'script' }]],
  ['<svg><script/>{{a}}</svg>', [{}]],
  ['<script/>"{{a}}"</script>', [{ string: '"', element: 'script' }]],
  ['<svg><style>{{a}}<p title="{{b}}"></style></svg>', [{}, { attribute: '"', leading: true }]],
  ['<svg><style>{{a}}</style></svg>', [{}]],
  ['<svg><script/>"{{a}}"</script></svg>', [{}]],
  ['<svg><b></svg><script>"{{a}}"</script>', [{ string: '"', element: 'script' }]],
  ['<svg><desc><style>{{a}}</style></desc></svg>', [{ element: 'style' }]],
  ['<math><annotation-xml><style>{{a}}</style></annotation-xml></math>', [{ element: 'style' }]],
  ['<svg><title><p title="{{a}}"></title></svg>', [{ attribute: '"', leading: true }]],
  ['<desc><svg></svg></desc><title><p title="{{a}}"></title>', [{}]],
  ['<svg><foreignObject><textarea><p title="{{a}}"></textarea></foreignObject></svg>', [{}]],
  ['<svg><p></svg></svg><style>{{a}}</style>', [{ element: 'style' }]],
  ['<svg><![CDATA[><p title="{{a}}">]]></svg>', [{}]],
  ['<svg><desc><svg></svg><![CDATA[><p title="{{a}}">]]></desc></svg>', [{ attribute: '"', leading: true }]],
  ['<svg></svg><![CDATA[><p title="{{a}}">]]>', [{ attribute: '"', leading: true }]],
])('In %s foreign content is read as browsers read it.', (code, expected) => {
  expect(around(code)).toEqual(expected)
})

test.each<[string, Partial<Placeholder['context']>[]]>([
  ['<noscript><p title="{{a}}"></noscript>', [{ attribute: '"', leading: true, within: 'noscript' }]],
  ['<noscript></noscript><p title="{{a}}">', [{ attribute: '"', leading: true }]],
  ['</noscript><noscript><p title="{{a}}">', [{ attribute: '"', leading: true, within: 'noscript' }]],
  ['<noscript><noscript></noscript><p title="{{a}}">', [{ attribute: '"', leading: true, within: 'noscript' }]],
  ['<noscript><script>"{{a}}"</script>', [{ string: '"', element: 'script', within: 'noscript' }]],
])('In %s what browsers without scripts read is told.', (code, expected) => {
  expect(around(code)).toEqual(expected)
})
