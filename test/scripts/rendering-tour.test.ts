import { test } from 'bun:test'
import { addressParts, escapeInAddress, isAddress } from '../../src/scripts/addresses.ts'
import { absorbsFollowingMarkup, flawOfCode, isClosed, maxElements } from '../../src/scripts/code.ts'
import { jsStrings, quotesAt } from '../../src/scripts/javascript.ts'
import { checkParameters } from '../../src/scripts/parameters.ts'
import { parsePlaceholders, placeholderKeys } from '../../src/scripts/placeholders.ts'
import { checkRendered, fitsPage, renderFilled } from '../../src/scripts/render.ts'
import { AppError } from '../../src/errors.ts'
import { expectRecorded } from '../support/recorded.ts'

const lines: string[] = []
const heading = (text: string) => lines.push('', `## ${text}`, '')
const shown = (value: unknown) => JSON.stringify(value) ?? 'undefined'

/** What a function throws, in a line. */
function refusalOf(work: () => unknown): string {
  try {
    work()
    return 'allowed'
  } catch (error) {
    if (error instanceof AppError) return `${error.code} ${shown(error.details)}`
    throw error
  }
}

test('What values become in each place of a script is what is recorded.', () => {
  strings()
  addresses()
  places()
  values()
  markup()
  flaws()
  limits()
  expectRecorded('developer/rendering.txt', lines.join('\n'))
})

const JAVASCRIPT = [
  `a = "b" + 'c' + \`d\``,
  String.raw`"a\"b" 'a\'b' "\\" '\
x'`,
  '`a${b}c` `${`in`}` `${{a: "x"}.a}y` `\\${no}` `$$`',
  '"open\n"next"',
  "'open",
  '`open',
  '// "no"\n"yes" /* "no" */ "yes" /* "open',
  '<!-- "no"\n"yes"',
  '--> "no"\n"yes"',
  'x --> "yes"',
  '  /* a */ --> "no"',
  'a /* \n */ --> "no"',
  'a / "b" / c',
  'a = /"/ + "b"',
  'return /"/',
  'x.return / "b" /1',
  'if (a) /"/.test("b")',
  'f(a) / "b" / 1',
  'while(a)/"/g; for(;;)/"/u; with(a)/"/',
  '[a] / "b" / 1',
  '({}) / "b" / 1',
  '{} /"/.test("b")',
  'x = {} / "b" / 1',
  '() => {} /"/',
  'do /"/.test(a); while (1)',
  'else /"/',
  'typeof /"/',
  'a++ / "b" / 1',
  'a-- / "b" / 1',
  '++/"/.lastIndex',
  '1 / "b"; 1.5e3 / "c" /1; .5 / "d"',
  '/[/"]/.test("b")',
  String.raw`/\/"/.test("b")`,
  'a = /open "x"\n"yes"',
  'a = b /open / "x"',
  'yield /"/; await /"/; case /"/; throw /"/; new /"/; void /"/; delete /"/; in /"/; of /"/; instanceof /"/',
  'try {} finally {} /"/',
  'class A { #a = "x"; $b = "y"; _c = \'z\' }',
  'ünï = "x"',
  '\u2028"a"\u2029"b\u2028c"',
  'x = `a` / "b" / 1',
  'x = "a" / "b" / 1',
  ') / "b" /',
  '} / "b" /',
  'f(function(){ return "in" }) / "b" /1',
  'a ? {b: "c"} : "d"',
  '`${"a"}${\'b\'}c` + "d"',
]

function strings(): void {
  heading('Strings in JavaScript')
  for (const code of JAVASCRIPT) {
    const spans = jsStrings(code)
    const found = spans.map(({ start, end, quote }) => `${start}-${end} ${quote}${code.slice(start, end)}${quote}`)
    lines.push(`${shown(code)}: ${found.map(shown).join(', ')}`)
  }
  const spans = jsStrings(`"ab" + 'c' + \`d\``)
  const offsets = [...Array(16).keys()]
  lines.push(
    `quotes: ${quotesAt(spans, offsets)
      .map((quote) => quote ?? '.')
      .join('')}`,
  )
}

const ADDRESSES = [
  ...['W', 'Wx', 'https://a/W', '/W', 'a/W', '?W', '#W', 'W:W', 'javascript:W', 'JAVAscript:W', 'vbscript:W', 'javaW'],
  ...['javaW:W', 'java\nscript:W', ' javascript:W', 'data:W', 'a;W', 'a:b;W', 'a;javascript:W', 'https://a;W', '&#W'],
  ...['&amp;W', '&W', 'a:&#W', 'javascript:a;W', 'javascript;W', 'xjavascript:W', 'W/javascript:W', 'a?javascript:W'],
]

function addresses(): void {
  heading('Places in addresses')
  for (const address of ADDRESSES) lines.push(`${shown(address)}: ${addressParts(address, 'W').join(', ')}`)
  const names = [
    'href',
    'xlink:href',
    'src',
    'action',
    'formaction',
    'data',
    'to',
    'from',
    'by',
    'values',
    'alt',
    'HREF',
  ]
  lines.push(`addresses: ${names.filter(isAddress).join(', ')}`)

  heading('Values in addresses')
  const given = [
    'https://a.b/c?d=e&f',
    'javascript:x()',
    'JavaScript:x',
    'vbscript:x',
    'java\tscript:x',
    ' script:x',
    'script:x',
  ]
  const more = [
    '&#106;avascript:',
    '&Tab;x',
    '&amp;x',
    '&x',
    'a:b:c',
    ':',
    ';x',
    '#x',
    '9',
    'a\r\nb',
    `"'<>%`,
    'é',
    '&',
    '&colon;',
  ]
  for (const value of [...given, ...more]) {
    const inSchemes = ['', 'java', 'javascript', '&', '&#10', 'x?a='].map((before) =>
      shown(escapeInAddress(value, 'scheme', before)),
    )
    lines.push(`${shown(value)}: ${inSchemes.join(', ')}; ${shown(escapeInAddress(value, 'script', ''))}`)
  }
}

/** Code with a place for each key. */
const PLACES = [
  '<p>{{a}}</p>',
  '<p title="{{a}}">',
  "<p title='x{{a}}y'>",
  '<p title={{a}}>',
  '<p title={{a}}{{b}}>',
  '<p title=x{{a}}>',
  '<p title = "{{a}}" id = {{b}} >',
  '<p {{a}}="x">',
  '<{{a}}>',
  '<a href="{{a}}">',
  '<a href="{{a}}:{{b}}">',
  '<a href="https://x/{{a}}">',
  '<a href="javascript:{{a}}">',
  '<a href={{a}}>',
  '<a href="x" href="{{a}}">',
  '<a HREF="{{a}}">',
  '<use xlink:href="{{a}}"/>',
  '<iframe srcdoc="{{a}}"></iframe>',
  '<b onclick="f(\'{{a}}\', {{b}})">',
  '<b onclick=\'f("{{a}}")\'>',
  '<b onclick=f("{{a}}")>',
  '<b onclick="f(&quot;{{a}}&quot;)">',
  '<b ONCLICK="`{{a}}`">',
  '<script>x = "{{a}}" + {{b}} + `{{c}}`</script>',
  '<script>"qx qxx {{a}} {{b}}"</script>',
  '<script type="application/json">{"a": "{{a}}"}</script>',
  '<script type="text/template">{{a}}</script>',
  '<script type="text/plain">"{{a}}"</script>',
  '<script type="module">\'{{a}}\'</script>',
  '<script type="importmap">"{{a}}"</script>',
  '<script src="{{a}}"></script>',
  '<style>.{{a}} { color: {{b}} }</style>',
  '<style media="{{a}}">a{}</style>',
  '<!-- {{a}} -->',
  '<title>{{a}}</title>',
  '<textarea>{{a}}</textarea>',
  '<xmp>{{a}}</xmp>',
  '<noscript><p title="{{a}}">{{b}}</p><script>"{{c}}"</script></noscript><p title="{{d}}">',
  '<svg><script>"{{a}}"</script></svg>',
  '<svg><style>{{a}}</style><desc><style>{{b}}</style></desc></svg>',
  '<svg><script/>{{a}}</svg>',
  '<math><annotation-xml><script>"{{a}}"</script></annotation-xml></math>',
  '<svg/><script>"{{a}}"</script>',
  '<svg></svg><script>"{{a}}"</script>',
  '<svg><desc></desc><style>{{a}}</style></svg>',
  '<svg><foreignObject><script>"{{a}}"</script></foreignObject></svg><script>"{{b}}"</script>',
  '<svg><title><style>{{a}}</style></title></svg>',
  '</noscript><noscript><b title="{{a}}"></b></noscript><b title="{{b}}">',
  '<noscript><noscript></noscript><b title="{{a}}"></b></noscript><b title="{{b}}">',
  '<iframe>{{a}}<script>"{{b}}"</script></iframe><script>"{{c}}"</script>',
  '<noembed><b title="{{a}}"></noembed><noframes><b title="{{b}}"></noframes><textarea><b title="{{c}}"></textarea>',
  '<script type="speculationrules">"{{a}}"</script>',
  '<script type="TEXT/JavaScript"/>"{{a}}"</script>',
  '<p title="a" title="{{a}}" ONclick="x{{b}}" onclick="y{{c}}">',
  "<b onclick=\"x = 'a'; y = '{{a}}' + {{b}} + '{{c}}'\">",
  '<a href="{{a}}javascript:{{b}}{{c}}">',
  '<plaintext>{{a}}<script>"{{b}}"',
  '<p>{{a}}{{a}}{{none}}{{ a }}{{a-b_c.d}}</p>',
  '<p title="{{a}}" onclick="\'{{b}}\'" href="{{c}}">{{d}}</p>',
  '<animate values="x;{{a}}" to="{{b}}" by={{c}} from=\'{{d}}\'>',
]

function places(): void {
  heading('Places of values')
  for (const code of PLACES) {
    const parts = parsePlaceholders(code, (key) => key !== 'none')
    const found = parts.flatMap((part) => (typeof part === 'string' ? [] : [`${part.key}: ${contextOf(part.context)}`]))
    lines.push(`${code}`, ...found.map((line) => `    ${line}`))
  }
  const keys = placeholderKeys('{{b}} {{a}} {{b}} {{A.b-c_d}} {{a b}} {{}} {{é}} {{' + 'k'.repeat(65) + '}}')
  lines.push(`keys: ${keys.join(', ')}`)
}

function contextOf(context: object): string {
  const told = Object.entries(context).filter(([, value]) => value !== null && value !== false)
  return told.map(([name, value]) => `${name} ${String(value)}`).join(', ') || 'text'
}

const VALUES = [
  `A&B <b>"x"</b> 'y' \`z\` \${q} \\ \n \r \u2028 -`,
  '</script><!--<script',
  'javascript:alert(1)',
  '&quot;&#39;&lt &amp; &x; &LT; &',
  '#39;x',
  '',
]

function values(): void {
  heading('Values in their places')
  for (const code of PLACES) {
    const keys = placeholderKeys(code).filter((key) => key !== 'none')
    lines.push(code)
    for (const value of VALUES) {
      const parameters = Object.fromEntries(keys.map((key) => [key, value]))
      lines.push(`    ${shown(renderFilled(code, parameters, {}).html)}`)
    }
  }
  for (const code of [
    '<script>"&#3{{a}}</scr{{b}}ipt>"</script>',
    '<b onclick="\'&#3{{a}}\'">',
    '<a href="&#10{{a}}{{b}}">',
    '<script>x<{{a}}</script>',
  ])
    for (const a of ['9;', '!--x', '/script>', 'script', 'x'])
      lines.push(`${code} with ${a}: ${shown(renderFilled(code, { a, b: a }, {}).html)}`)
  const { html, filled } = renderFilled('{{a}}-{{b}}-{{a}}{{c}}{{d}}', { a: 1, b: '<', c: false, d: null }, {})
  lines.push(`${html}: ${filled.map(({ from, to }) => `${from}-${to} ${html.slice(from, to)}`).join(', ')}`)
}

function markup(): void {
  heading('Values that are markup')
  const formats = { a: 'html', b: 'text', c: 'html' } as const
  for (const value of ['<b>x</b>', '<b', '<!-- x', '&lt;b&gt;', 'plain', 'a & b', '<script>x</script>', '<script>'])
    for (const code of [
      '<p>{{a}}{{b}}</p>',
      '<p title="{{a}}">{{b}}</p>',
      '<script>"{{a}}"</script>',
      '<style>{{a}}</style>',
    ])
      lines.push(
        `${code} with ${value}: ${shown(renderFilled(code, { a: value, b: value }, formats).html)}, ` +
          refusalOf(() => checkRendered({ code, parameters: { a: value, b: value }, parameter_formats: formats })),
      )
}

const CODES = [
  ...['', ' ', 'text', '<p>', '<p>a</p>', '<div>', '<div></div>', '<div><p>', '<div><p></div>', '<br>', '<img src=x>'],
  ...['<b>', '<b></b>', '<p><b></p>', '<ul><li>a<li>b</ul>', '<ul><li>a', '<table><tr><td>a', '<table></table>x'],
  ...[
    '<!-- a -->',
    '<!-- a',
    '<!-- a --',
    '<a',
    '<a href="x',
    "<a href='x'",
    '<a href="x">',
    '</div>',
    '<script>',
    '<script>x',
  ],
  ...[
    '<script>x</script>',
    '<script><!--<script></script>',
    '<style>',
    '<style>a{}</style>',
    '<title>x',
    '<textarea>x',
  ],
  ...[
    '<svg>',
    '<svg><g></svg>',
    '<svg/>',
    '<select><option>a',
    '<template>x',
    '<template>x</template>',
    '<plaintext>x',
  ],
  ...[
    '<p>a\0b</p>',
    '<head><meta></head>',
    '<body>x',
    '<html>',
    '<?php',
    '<![CDATA[x',
    '&amp',
    '<p>a</p><i>b',
    'x<iframe>y',
  ],
  ...[
    '<script>"\\{{a}}"</script>',
    '<script>"\\\\{{a}}"</script>',
    '<script>"\\\\\\{{a}}{{b}}"</script>',
    '<p>\\{{a}}</p>',
  ],
  ...[
    '<b onclick="\'\\{{a}}\'">x</b>',
    '<script>`x\\{{a}}`</script>',
    '<script>x\\{{a}}</script>',
    '<script>"\\x{{a}}"</script>',
  ],
]

function flaws(): void {
  heading('Code')
  for (const code of CODES) {
    const flaw = flawOfCode(code)
    const at = flaw?.at ? ` ${flaw.at.from}-${flaw.at.to} ${shown(code.slice(flaw.at.from, flaw.at.to))}` : ''
    lines.push(
      `${shown(code)}: ${flaw ? flaw.message.slice(0, 45) + at : 'fine'}, ${isClosed(code) ? 'closed' : 'open'}`,
    )
  }
}

function limits(): void {
  heading('Limits')
  const open = '<b></p>'
  for (const count of [24_997, 24_998]) lines.push(`${count} elements: ${isClosed('<br>'.repeat(count))}`)
  const refusals = [7, 8].map((limit) => refusalOf(() => absorbsFollowingMarkup('<br>'.repeat(5), limit)))
  lines.push(`elements of code: ${maxElements('x'.repeat(30))}, ${refusals.join(', ')}`)
  lines.push(`bytes: ${[65_536, 65_537].map((length) => flawOfCode('x'.repeat(length))?.message ?? 'fine').join(', ')}`)
  const sizes = [262_144, 262_145].map((length) => [fitsPage('x'.repeat(length), 'x'.repeat(length)), length])
  lines.push(`page: ${shown(sizes)}, ${fitsPage('', open)}, ${fitsPage(open, open)}`)
  const filling = (length: number) => ({
    code: '{{a}}'.repeat(128),
    parameters: { a: 'x'.repeat(length) },
    parameter_formats: {},
  })
  lines.push(`rendered: ${[2048, 2049].map((length) => refusalOf(() => checkRendered(filling(length)))).join(', ')}`)
  for (const given of [
    null,
    [],
    'x',
    { a: undefined },
    { a: 1, b: 'x', c: true, d: null },
    { '': 1 },
    { 'a.b-c_D9': 1 },
    { é: 1 },
  ])
    lines.push(`${shown(given)}: ${refusalOf(() => checkParameters(given))}`)
  for (const length of [64, 65])
    lines.push(`key of ${length}: ${refusalOf(() => checkParameters({ ['k'.repeat(length)]: 1 }))}`)
  for (const value of ['a\0', 'x'.repeat(2048), 'x'.repeat(2049), [1]])
    lines.push(`value ${String(value).length}: ${refusalOf(() => checkParameters({ a: value }))}`)
}
