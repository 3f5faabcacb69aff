import { describe, expect, test } from 'bun:test'
import { type DefaultTreeAdapterTypes as Tree, parseFragment } from 'parse5'
import { mergeParameters } from '../../src/scripts/parameters.ts'
import { checkRendered, fitsPage, renderFilled, renderScript } from '../../src/scripts/render.ts'
import type { ParameterFormats, Parameters } from '../../src/store/tables/scripts.ts'

test('Placeholders get the default or the value of the connection, and stay without a value.', () => {
  expect(renderScript('{{a}} {{b}} {{c}}', mergeParameters({ a: 1, b: 2 }, { b: 3 }))).toBe('1 3 {{c}}')
})

test('Placeholders accept strings, numbers, booleans and the empty string; null is no value.', () => {
  expect(renderScript('[{{a}}][{{b}}][{{c}}][{{d}}][{{e}}]', { a: 'x', b: 1.5, c: false, d: '', e: null })).toBe(
    '[x][1.5][false][][{{e}}]',
  )
  expect(renderScript('{{a}}', mergeParameters({ a: 'default' }, { a: null }))).toBe('{{a}}')
})

test('Placeholders are replaced in one pass, and $& is plain text.', () => {
  const values = { a: '{{b}}', b: '$& $1 $$ $`' }
  expect(renderScript('{{a}}{{b}}', values, { b: 'html' })).toBe('{{b}}$& $1 $$ $`')
  expect(renderScript('{{a}}{{b}}', values)).toBe('{{b}}$&amp; $1 $$ $`')
  expect(renderScript('{{{a}}}', { a: '{b}', b: 'x' })).toBe('{{b}}')
})

test('Placeholders ignore inherited property names.', () => {
  const code = '{{toString}} {{constructor}} {{__proto__}} {{hasOwnProperty}}'
  expect(renderScript(code, {})).toBe(code)
  const own = JSON.parse('{"__proto__": "p", "constructor": "c"}') as Parameters
  expect(renderScript(code, mergeParameters({}, own))).toBe('{{toString}} c p {{hasOwnProperty}}')
})

test('Placeholders have keys of 1 to 64 characters from A-Z, a-z, 0-9, _ . - without spaces.', () => {
  const long = 'k'.repeat(64)
  expect(renderScript(`{{a.b-c_D9}} {{${long}}}`, { 'a.b-c_D9': 'x', [long]: 'y' })).toBe('x y')
  for (const code of ['{{ a }}', '{{a }}', '{{}}', '{a}', `{{${long}k}}`, '{{ä}}', '{{a|b}}'])
    expect(renderScript(code, { a: 'x', ä: 'x', [`${long}k`]: 'x' })).toBe(code)
})

test('A value and the code around it make no end of a script and no substitution together.', () => {
  const rendered = (code: string, v: string) => renderScript(`<script>${code}</script>`, { v }).slice(8, -9)
  expect(rendered('a = "<{{v}}script>"', '/')).toBe('a = "<\\u002Fscript>"')
  expect(rendered('a = "{{v}}/script>"', '<')).toBe('a = "\\u003C/script>"')
  expect(rendered('a = `{{v}}{b}`', '$')).toBe('a = `\\u0024{b}`')
  expect(rendered(`a = "<${'/'}{{v}}"`, 'script>')).toBe('a = "</\\u0073cript>"')
})

test('The places of the values are told in the rendered code, as long as what was written there.', () => {
  const { html, filled } = renderFilled('<b>{{a}}</b>{{long_key}}{{c}}.', { a: 'x', long_key: '&', c: '' }, {})
  expect([html, filled.map(({ from, to }) => html.slice(from, to))]).toEqual(['<b>x</b>&amp;.', ['x', '&amp;', '']])
  expect(filled[1]).toEqual({ from: 8, to: 13 })
})

test('Placeholders ignore parameters that the code does not name.', () => {
  expect(renderScript('<b>x</b>', { a: 'y' })).toBe('<b>x</b>')
})

/**
 * Each syntactic context of a placeholder. `read` returns the value as the page sees it: parse5 reads the markup, and
 * the JavaScript engine runs the scripts.
 */
const script = (code: string) => `<script>${code}</script><hr>`
const CONTEXTS: { name: string; code: string; read: (html: string) => unknown }[] = [
  ...['"', "'", '`'].flatMap((quote) => [
    { name: `script ${quote}`, code: script(`return ${quote}{{v}}${quote}`), read: ran },
    {
      name: `script ${quote} between text`,
      code: script(`return ${quote}it: {{v}} .${quote}.slice(4, -2)`),
      read: ran,
    },
    {
      name: `script ${quote} after a comment, a regex and a template`,
      code: script(`/* ' */ const r = /["'\`]/; // "\n const t = \`\${"}"}'\`; return ${quote}{{v}}${quote}`),
      read: ran,
    },
  ]),
  { name: 'template with substitutions', code: script('return `a${1}{{v}}${2}`.slice(2, -1)'), read: ran },
  { name: 'template behind $', code: script('return `$${""}${{v}}`.slice(2)'), read: ran },
  { name: 'string behind a backslash pair', code: script('return "\\\\{{v}}".slice(1)'), read: ran },
  { name: 'string inside markup-like text', code: script('return "<b a=\'{{v}}\'>".slice(6, -2)'), read: ran },
  { name: 'behind < and before script', code: script('return "<{{v}}script".slice(1, -6)'), read: ran },
  { name: 'behind <!', code: script('return "<!{{v}}--".slice(2, -2)'), read: ran },
  { name: 'upper case, attributes', code: '<SCRIPT TYPE="module" async>return "{{v}}"</SCRIPT><hr>', read: ran },
  {
    name: 'JSON',
    code: '<script type="application/json">{"a":"{{v}}"}</script><hr>',
    read: (html) => (JSON.parse(scriptText(html).replace(/\t/g, '\\t').replace(/\f/g, '\\f')) as { a: string }).a,
  },
  ...['"', "'"].flatMap((quote) => [
    { name: `attribute ${quote}`, code: `<p title=${quote}{{v}}${quote} id=own>x</p><hr>`, read: attribute('title') },
    {
      name: `attribute ${quote} between text`,
      code: `<p\n TITLE = ${quote}a{{v}}.${quote} id=own>x</p><hr>`,
      read: (html: string) => attribute('title')(html).slice(1, -1),
    },
    {
      name: `handler ${quote}`,
      code:
        quote === '"' ? `<p onclick="return '{{v}}'" id=own>x</p><hr>` : `<p onclick='return "{{v}}"' id=own>x</p><hr>`,
      read: handler,
    },
  ]),
  {
    name: 'unquoted attribute',
    code: '<p title={{v}}. id=own>x</p><hr>',
    read: (html) => attribute('title')(html).slice(0, -1),
  },
  {
    name: 'unquoted attribute behind text',
    code: '<p title=a/{{v}} id=own>x</p><hr>',
    read: (html) => attribute('title')(html).slice(2),
  },
  { name: 'handler with references', code: '<p onclick="return &quot;{{v}}&quot;" id=own>x</p><hr>', read: handler },
  {
    name: 'handler behind &',
    code: '<p onclick="return \'&{{v}}\'" id=own>x</p><hr>',
    read: (html) => (handler(html) as string).slice(1),
  },
  {
    name: 'handler behind &#',
    code: '<p onclick="return \'&#{{v}}\'" id=own>x</p><hr>',
    read: (html) => (handler(html) as string).slice(2),
  },
  {
    name: 'handler behind &#x',
    code: '<p onclick="return \'&#x{{v}}\'" id=own>x</p><hr>',
    read: (html) => (handler(html) as string).slice(3),
  },
  { name: 'handler, template', code: '<p onclick="return `{{v}}`" id=own>x</p><hr>', read: handler },
  {
    name: 'second of two attributes',
    code: '<p title="{{v}}" title="{{v}}" id=own>x</p><hr>',
    read: attribute('title'),
  },
  {
    name: 'noscript',
    code: '<noscript><p title="{{v}}" id=own>x</p></noscript><hr>',
    read: (html) =>
      attribute('title')(
        (parts(html)[0] as Tree.Element).childNodes.map((node) => (node as Tree.TextNode).value).join(''),
      ),
  },
  {
    name: 'two values side by side',
    code: script('return ["{{w}}{{v}}", "{{w}}"]'),
    read: (html) => {
      const [both, one] = ran(html) as string[]
      return both!.slice(one!.length)
    },
  },
  {
    name: 'two values in an unquoted attribute',
    code: '<p title={{e}}{{v}}. id=own>x</p><hr>',
    read: (html) => attribute('title')(html).slice(0, -1),
  },
]

/** The elements of the fragment: exactly the code's own element and its <hr>, so that no value broke out. */
function parts(html: string): Tree.ChildNode[] {
  const nodes = parseFragment(html).childNodes
  expect(nodes.map((node) => node.nodeName)).toEqual([nodes[0]!.nodeName, 'hr'])
  return nodes
}

function scriptText(html: string): string {
  const [element] = parts(html) as Tree.Element[]
  expect(element!.nodeName).toBe('script')
  return element!.childNodes.map((node) => (node as Tree.TextNode).value).join('')
}

function ran(html: string): unknown {
  return new Function(scriptText(html))()
}

function attribute(name: string) {
  return (html: string): string => {
    const element = (html.endsWith('<hr>') ? parts(html)[0] : parseFragment(html).childNodes[0]) as Tree.Element
    const attributes = element.attrs.map((attr) => attr.name)
    expect(attributes).toEqual([name, 'id'])
    return element.attrs[0]!.value
  }
}

function handler(html: string): unknown {
  return new Function(attribute('onclick')(html))()
}

const PIECES = [
  '"',
  "'",
  '`',
  '\\',
  '\n',
  '\r',
  '\u2028',
  '\u2029',
  '</script',
  '</script>',
  '<script',
  '<!--',
  '-->',
  '<',
  '/',
  '!',
  '--',
  's',
  'cript',
  '${',
  '$',
  '{',
  '}',
  '&',
  '&quot;',
  '&quot',
  '&#39;',
  '&#x27',
  '#39;',
  '39;',
  '27;',
  '&apos;',
  'quot;',
  ';',
  '>',
  '/>',
  ' ',
  '\t',
  '\f',
  '=',
  '</noscript>',
  ']]>',
  '*/',
  '//',
  '{{v}}',
  '{{w}}',
  '$&',
  '\\u0022',
  '\\x27',
  'a',
  'é',
  '漢',
  '😀',
  '(',
  ')',
  ',alert(1)',
  'onx=1',
]

/** The same hostile values in every run. */
function* hostileValues(count: number): Generator<string> {
  let state = 20_260_115
  const next = (below: number) => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) % below
  yield* PIECES
  for (let index = 0; index < count; index++)
    yield Array.from({ length: 1 + next(6) }, () => PIECES[next(997) % PIECES.length]!).join('')
}

/** Browsers normalize line ends (HTML standard, 13.2.3.5). */
const asMarkupSays = (value: string) => value.replace(/\r\n?/g, '\n')

test.each(CONTEXTS.map((place) => [place.name, place] as const))(
  'No value breaks out of a string or an attribute: %s.',
  (_, { code, read }) => {
    const isAttribute = /title/i.test(code) && !code.startsWith('<script')
    for (const value of hostileValues(400)) {
      const html = renderScript(code, { v: value, w: value.split('').reverse().join(''), e: '' })
      const seen = read(html) as string
      // In an attribute, browsers decode character references in the value.
      if (isAttribute)
        expect(asMarkupSays(seen)).toBe(
          asMarkupSays(attribute('title')(`<p title="${value.replaceAll('"', '&quot;')}" id=own>x</p>`)),
        )
      else expect(asMarkupSays(seen)).toBe(asMarkupSays(value))
    }
  },
)

test('A script in SVG cannot be closed by markup in a value.', () => {
  const html = renderScript('<svg><script>return "{{v}}"</script></svg><hr>', { v: '&quot;;alert(1)//</script><b>' })
  const [svg] = parts(html) as Tree.Element[]
  const text = ((svg!.childNodes[0] as Tree.Element).childNodes[0] as Tree.TextNode).value
  expect(new Function(text)()).toBe('&quot;;alert(1)//</script><b>')
})

describe('harmless values stay byte for byte', () => {
  const harmless = [
    'G-12AB_34',
    'https://cdn.example/a.js?x=1&y=2#z',
    'a < b > c',
    'Tom & Jerry',
    '50% off!',
    '#ff8800',
    '{"a":1}'.replaceAll('"', ''),
    'Grüße 漢字 😀',
    '<b>',
    'x/y/z',
    '$5.00',
    '{a}',
    '--',
    'a-b_c.d',
    '&copy=1',
    'select <s> from',
  ]
  test.each(
    CONTEXTS.filter(({ name }) => !/unquoted|noscript|behind|side by side|JSON/.test(name)).map(
      (place) => [place.name, place.code] as const,
    ),
  )('Harmless values stay byte for byte: %s.', (_, code) => {
    for (const value of harmless) expect(renderScript(code, { v: value })).toBe(code.replaceAll('{{v}}', () => value))
  })

  test('A closed value with the format html stays byte for byte outside strings and attributes.', () => {
    const value = `"'\`\\\n</script><!-- ' & -->`
    for (const code of [
      '<p>{{v}}</p>',
      '{{v}}',
      '<script>x = {{v}}; // {{v}}\n/* {{v}} */ y = /{{v}}/</script>',
      '<style>{{v}}</style>',
      '<!-- {{v}} -->',
      '<p {{v}}>',
      '<textarea>{{v}}</textarea>',
      '<script type="text/template">"{{v}}"</script>',
    ]) {
      expect(renderScript(code, { v: value }, { v: 'html' })).toBe(code.replaceAll('{{v}}', () => value))
    }
  })

  test('A value without & < > stays byte for byte outside strings and attributes.', () => {
    for (const value of harmless.filter((each) => !/[&<>]/.test(each)))
      for (const { code } of TEXTS) expect(renderScript(code, { v: value })).toBe(code.replaceAll('{{v}}', () => value))
  })
})

/** Places outside strings and attributes; `read` returns the text that a visitor sees, where there is one. */
const TEXTS: { name: string; code: string; read?: (html: string) => string }[] = [
  { name: 'text', code: '<p>{{v}}</p><hr>', read: textOf },
  { name: 'text without an element', code: 'x{{v}}<hr>', read: (html) => textOf(html).slice(1) },
  { name: 'title', code: '<title>{{v}}</title><hr>', read: textOf },
  { name: 'textarea', code: '<textarea>x{{v}}</textarea><hr>', read: (html) => textOf(html).slice(1) },
  { name: 'text in SVG', code: '<svg><text>{{v}}</text></svg><hr>', read: textOf },
  { name: 'style in SVG', code: '<svg><style>{{v}}</style></svg><hr>', read: textOf },
  { name: 'script in SVG', code: '<svg><script>{{v}}</script></svg><hr>', read: textOf },
  { name: 'template script', code: '<script type="text/template">{{v}}</script><hr>' },
  { name: 'script', code: '<script>{{v}}</script><hr>' },
  { name: 'script behind <', code: '<script>a<{{v}}script</script><hr>' },
  { name: 'script in noscript', code: '<noscript><script>{{v}}</script></noscript><hr>' },
  { name: 'string of a script in noscript', code: '<noscript><script>"{{v}}"</script></noscript><hr>' },
  { name: 'script in a foreign object', code: '<svg><foreignObject><script>{{v}}</script></foreignObject></svg><hr>' },
  { name: 'style', code: '<style>{{v}}</style><hr>' },
  { name: 'style in noscript', code: '<noscript><style>{{v}}</style></noscript><hr>' },
  { name: 'noscript', code: '<noscript>{{v}}</noscript><hr>' },
  { name: 'comment', code: '<!-- {{v}} --><hr>' },
  { name: 'comment without blanks', code: '<!--x{{v}}x--><hr>' },
  ...['xmp', 'iframe', 'noembed', 'noframes'].map((name) => ({ name, code: `<${name}>{{v}}</${name}><hr>` })),
  { name: 'template', code: '<template><p>{{v}}</p></template><hr>' },
  { name: 'table', code: '<table><tr><td>{{v}}</table><hr>' },
]

function textOf(html: string): string {
  const texts: string[] = []
  walk(parseFragment(html), (node) => {
    if ('value' in node) texts.push(node.value)
  })
  return texts.join('')
}

/** The elements of the markup with their attributes, in their order. */
function skeleton(html: string, scriptingEnabled: boolean): string[] {
  const names: string[] = []
  walk(parseFragment(html, { scriptingEnabled }), (node) => {
    if ('tagName' in node) names.push([node.tagName, ...node.attrs.map(({ name }) => name)].join(' '))
  })
  return names
}

function walk(parent: Tree.ParentNode, visit: (node: Tree.ChildNode) => void): void {
  for (const node of parent.childNodes) {
    visit(node)
    if ('childNodes' in node) walk(node, visit)
    if ('content' in node) walk(node.content, visit)
  }
}

describe('no value with the format text makes markup', () => {
  const values = [...hostileValues(400), '<img src=x onerror=alert(1)>', '<textarea>', '<svg onload=alert(1)>']

  test.each(TEXTS.map((place) => [place.name, place] as const))(
    'No value with the format text makes markup: %s.',
    (_, { code, read }) => {
      for (const value of values) {
        const html = renderScript(code, { v: value })
        for (const scripting of [true, false])
          expect([value, skeleton(html, scripting)]).toEqual([
            value,
            skeleton(code.replaceAll('{{v}}', 'word'), scripting),
          ])
        if (read) expect(asMarkupSays(read(html))).toBe(asMarkupSays(value))
      }
    },
  )

  test('No value with the format text makes markup in the document of a srcdoc attribute.', () => {
    for (const value of values) {
      const html = renderScript(`<iframe srcdoc='<p title="{{v}}">{{v}}</p>'></iframe><hr>`, { v: value })
      const [frame] = parts(html) as Tree.Element[]
      const inner = frame!.attrs[0]!.value
      expect([value, skeleton(inner, true)]).toEqual([value, ['p title']])
      expect(asMarkupSays(textOf(inner))).toBe(asMarkupSays(value))
    }
    const markup = '<b>"it\'s"</b>'
    expect(renderScript('<iframe srcdoc="{{v}}"></iframe>', { v: markup }, { v: 'html' })).toBe(
      `<iframe srcdoc="${markup.replaceAll('"', '&quot;')}"></iframe>`,
    )
  })

  test('An unknown key, another key or an inherited name does not make it html.', () => {
    const formats = JSON.parse('{"w": "html", "__proto__": "html"}') as ParameterFormats
    for (const each of [{}, { v: 'text' } as const, formats])
      expect(renderScript('<p>{{v}}</p>', { v: '<b>' }, each)).toBe('<p>&lt;b&gt;</p>')
  })
})

describe('a value with the format html', () => {
  const open = [
    '<!--',
    '<textarea>',
    '<script>',
    '<style>',
    '<title>',
    '<b>',
    '<img src="',
    '<',
    '<plaintext>',
    '<svg>',
  ]
  const flawOf = (code: string, parameters: Parameters, parameter_formats: ParameterFormats) => {
    try {
      checkRendered({ code, parameters, parameter_formats })
      return null
    } catch (error) {
      return (error as { details: { path: string }[] }).details[0]!.path
    }
  }

  test.each(open)(
    'An html value that leaves something open is refused, and escaped where it was stored before: %s.',
    (value) => {
      expect(flawOf('<p>{{other}}{{word}}</p>', { other: '<b>x</b>', word: value }, { word: 'html' })).toBe(
        '/parameters/word',
      )
      expect(flawOf('<p>{{word}}</p>', { word: value }, {})).toBeNull()
      expect(renderScript('<p>{{word}}</p>', { word: value }, { word: 'html' })).toBe(
        renderScript('<p>{{word}}</p>', { word: value }),
      )
    },
  )

  test('A value with the format html that is closed stands as it is.', () => {
    for (const value of ['<b>x</b>', '<img src=x>', '<!-- note -->', '<script>a()</script>', 'a < b & c', '']) {
      expect(flawOf('<p>{{word}}</p>', { word: value }, { word: 'html' })).toBeNull()
      expect(renderScript('<p>{{word}}</p>', { word: value }, { word: 'html' })).toBe(`<p>${value}</p>`)
    }
  })
})

test.each([
  ['<{{v}}>', 'textarea'],
  ['<p {{v}}>x</p>', 'title="'],
  ['<select>{{v}}</select>', '<style><textarea></style>'],
  ['<svg>{{v}}</svg>', '<style><!--</style>'],
  ['<!-- {{v}} -->', '<title>--><textarea></title>'],
])('Rendered code that would absorb the page is refused, and left out of pages: %s with %s.', (code, value) => {
  const filling = { code, parameters: { v: value }, parameter_formats: { v: 'html' } as const }
  expect(() => checkRendered(filling)).toThrow('not valid')
  expect(fitsPage(code, renderScript(code, filling.parameters, filling.parameter_formats))).toBe(false)
})

test('The same code with other parameter keys is parsed again.', () => {
  const code = '<script>a = `${{x}}`; b = "{{y}}"</script>'
  expect(renderScript(code, { y: '"' })).toBe('<script>a = `${{x}}`; b = "\\""</script>')
  expect(renderScript(code, { x: '{', y: '"' })).toBe('<script>a = `$\\u007B`; b = "\\""</script>')
  expect(renderScript(code, {})).toBe(code)
})
