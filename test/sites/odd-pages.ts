/** Pages as people write them, and as they should not: what the insertion points are tried on. */
export interface OddPage {
  name: string
  html: string
  /** The expected insertion points, where they are known by hand; null for a page without a body. */
  expected?: { head?: number; body_start?: number | null; body_end?: number | null }
}

/** `⓿`, `❶` and `❷` stand where head, body start and body end belong. */
function marked(name: string, text: string): OddPage {
  const html = text.replace(/[⓿❶❷]/g, '')
  const at = (mark: string) => {
    const found = text.indexOf(mark)
    return found === -1 ? undefined : text.slice(0, found).replace(/[⓿❶❷]/g, '').length
  }
  return { name, html, expected: { head: at('⓿'), body_start: at('❶'), body_end: at('❷') } }
}

const page = (name: string, html: string, expected?: OddPage['expected']): OddPage => ({ name, html, expected })

const FULL =
  '<!DOCTYPE html>\n<html lang="en">\n<head>\n  <meta charset="utf-8">\n  <title>Harbour</title>\n⓿</head>\n' +
  '<body class="a">❶\n  <h1>Harbour</h1>\n❷</body>\n</html>\n'

/** Elements in which scripts would not run: at the end of a page, scripts are inserted before them. */
const LEFT_OPEN = [
  ...['template', 'select', 'script', 'style', 'title', 'textarea', 'xmp', 'iframe'],
  ...['noembed', 'noframes', 'noscript', 'plaintext', 'svg', 'math'],
]

export const HAND_MADE: OddPage[] = [
  marked('full page', FULL),
  marked('full page with CRLF', FULL.replaceAll('\n', '\r\n')),
  marked('full page with CR alone', FULL.replaceAll('\n', '\r')),
  marked('no head', '<!doctype html><html>⓿<body>❶<p>x</p>❷</body></html>'),
  marked('no html, head or body', '⓿❶<p>Hello</p>❷'),
  marked('only text', '⓿❶Hello❷'),
  marked('text after blanks', '\n\n  ⓿❶Hello\n❷'),
  marked('nothing', '⓿❶❷'),
  marked('only blanks', ' \n ⓿❶❷'),
  marked('only a comment', '<!-- x -->⓿❶❷'),
  marked('only a doctype', '<!doctype html>⓿❶❷'),
  marked('only a title', '<title>x</title>⓿❶❷'),
  marked('unclosed head', '<!doctype html><html><head><title>x</title>⓿<body>❶<p>x❷</body></html>'),
  marked('unclosed head and no body tag', '<html><head><title>x</title>\n⓿❶<p>x</p>❷'),
  marked('unclosed body', '<!doctype html><html><head>⓿</head><body>❶<p>x</p>\n❷'),
  marked('body end without body start', '<head>⓿</head>\n❶<p>x</p>❷</body>'),
  marked('html end without body end', '<html><head>⓿</head><body>❶<p>x</p>❷</html>'),
  marked('head end without head start', '<title>x</title>⓿</head><body>❶x❷</body>'),
  marked('html end alone', '<html><head>⓿❶❷</html>'),
  marked('body end alone', '⓿❶❷</body>'),
  marked('br end tag', '⓿❶</br>x❷'),
  marked('body end in a script', '<head>⓿</head><body>❶<script>var a = "</body>"; // </head></script><p>x</p>❷</body>'),
  marked('body end in a style', '<head><style>a::after { content: "</head></body>" }</style>⓿</head><body>❶x❷</body>'),
  marked(
    'head in a comment',
    '<!-- <head> --><html><!-- </head><body> --><head>⓿</head><body>❶<!-- </body> --><p>x</p>❷</body>',
  ),
  marked('body end in a textarea', '<head>⓿</head><body>❶<textarea></body></textarea>❷</body>'),
  marked('body end in a title', '<head><title></head><body></body></title>⓿</head><body>❶x❷</body>'),
  marked('head in a title', '<head><title><head></head></title>⓿</head><body>❶x❷</body>'),
  marked(
    'body end in an attribute',
    '<head><meta content="</head>">⓿</head><body title="</body>">❶<p title=\'</body>\'>x</p>❷</body>',
  ),
  marked(
    'greater-than in attributes of body',
    '<head>⓿</head><body data-a="1 > 0" data-b=\'<p>\' onload="if (1 > 0) { }">❶x❷</body>',
  ),
  marked('unquoted attributes', '<head>⓿</head><body class=a id=b/>❶x❷</body>'),
  marked('head in svg', '<head>⓿</head><body>❶<svg><head></head><title></title></svg><p>x</p>❷</body>'),
  marked('title in svg', '⓿❶<svg><title>x</title><style>a{}</style></svg>❷'),
  marked(
    'foreignObject with a body tag',
    '<head>⓿</head><body>❶<svg><foreignObject><body><p>x</p></body></foreignObject></svg>❷</body>',
  ),
  marked(
    'math',
    '<head>⓿</head><body>❶<math><mi>x</mi><annotation-xml encoding="text/html"><p></body></p>' +
      '</annotation-xml></math>❷</body>',
  ),
  marked('template in the head', '<head><template><head></head><body></body></template>⓿</head><body>❶x❷</body>'),
  marked('template in the body', '<head>⓿</head><body>❶<template><p></body></html></template>x❷</body>'),
  marked('noscript in the head', '<head><noscript></head><body></noscript>⓿</head><body>❶x❷</body>'),
  marked('noscript in the body', '<head>⓿</head><body>❶<noscript></body></noscript>x❷</body>'),
  marked('iframe with markup', '<head>⓿</head><body>❶<iframe></body></iframe>x❷</body>'),
  marked('xmp', '<head>⓿</head><body>❶<xmp></body></xmp>x❷</body>'),
  marked('upper case', '<!DOCTYPE HTML><HTML><HEAD><TITLE>X</TITLE>⓿</HEAD><BODY BGCOLOR=WHITE>❶<P>X❷</BODY></HTML>'),
  marked('mixed case', '<hTmL><HeAd>⓿</hEaD><bOdY>❶x❷</BoDy></HtMl>'),
  marked('blanks in end tags', '<head>⓿</head\n><body>❶x❷</body \t></html  >'),
  marked('attributes on end tags', '<head>⓿</head class=a><body>❶x❷</body id="b">'),
  marked('byte order mark', '\uFEFF<!doctype html><head>⓿</head><body>❶x❷</body>'),
  marked('byte order mark and nothing else', '\uFEFF⓿❶x❷'),
  marked(
    'xml declaration',
    '<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" ' +
      '"http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd">\n<html ' +
      'xmlns="http://www.w3.org/1999/xhtml"><head><title>x</title>⓿</head><body>❶<p>x</p>❷</body></html>',
  ),
  marked(
    'old doctype',
    '<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 3.2 Final//EN"><head>⓿</head><body>❶<p><table></table>❷</body>',
  ),
  page(
    'frameset',
    '<html><head><title>x</title></head><frameset cols="50%,50%"><frame><frame><noframes><body>x</body>' +
      '</noframes></frameset></html>',
    { head: '<html><head><title>x</title>'.length, body_start: null, body_end: null },
  ),
  page('frameset without a head', '<frameset><frame></frameset>', { head: 0, body_start: null, body_end: null }),
  page('frameset after a paragraph', '<p></p><frameset><frame></frameset>', {
    head: 0,
    body_start: null,
    body_end: null,
  }),
  page('frameset that comes too late', 'x<frameset><frame></frameset>'),
  marked('script between head and body', '<head>⓿</head><script>1</script>\n<style></style><body>❶x❷</body>'),
  marked('script after head, no body tag', '<head>⓿</head><script>1</script> ❶<p>x❷'),
  marked('template after head', '<head>⓿</head><template><p></template><body>❶x❷</body>'),
  marked('text after head', '<head>⓿</head> ❶x❷</body>'),
  marked('late body tag', '⓿❶<p>x</p><body class="late">y❷</body>'),
  marked('two body tags', '<head>⓿</head><body>❶x<body class="two">y❷</body>'),
  ...LEFT_OPEN.map((name) => marked(`${name} left open`, `⓿<body>❶<p>x</p>❷<${name}>y</body></html>`)),
  marked('two head tags', '<head><head>⓿</head><head></head><body>❶x❷</body>'),
  marked('late html tag', '⓿❶x<html lang="en">y❷'),
  marked('two documents', '<html><head>⓿</head><body>❶x</body></html><html><head></head><body>y❷</body></html>'),
  marked('script after the body end', '<head>⓿</head><body>❶x❷</body><script>1</script></html>'),
  marked('text after the body end', '<head>⓿</head><body>❶x❷</body>y'),
  marked('comment after the body end', '<head>⓿</head><body>❶x❷</body><!-- y --></html><!-- z -->'),
  marked('two body ends', '<head>⓿</head><body>❶x❷</body></body></html>'),
  marked('body end that is taken back', '<head>⓿</head><body>❶x</body><p>y❷</body>'),
  marked('body end in a cell', '<head>⓿</head><body>❶<table><tr><td>x</body></table>y❷</body>'),
  page('table left open', '<head></head><body><table><tr><td>x</body></html>'),
  page('table left open outside of a cell', '<body><table><tr>'),
  page('select left open', '<body><p>x<select><option>a</body></html>'),
  page('svg left open', '<body><p>x<svg><g></body></html>'),
  page('foreignObject left open', '<body><svg><foreignObject><div>x</body>'),
  page('template left open', '<body><p>x</p><template><p></body></html>'),
  page('template left open in the head', '<head><title>x</title><template><p></head><body>'),
  page('script left open', '<body><p>x</p><script>var a = "</body>"'),
  page('script left open in the head', '<head><script>var a = 1'),
  page('script with a comment left open', '<body>x<script><!-- <script> </script> </body>'),
  page('style left open in the head', '<head><style>a { } </head><body>'),
  page('title left open', '<title>x </title'),
  page('textarea left open', '<body><textarea></body>'),
  page('comment left open', '<body><p>x<!-- </body></html>'),
  page('comment left open with dashes', '<body><p>x<!-- a --'),
  page('bogus comment left open', '<body><p>x<? a'),
  page('doctype left open', '<body><p>x<!doctype html'),
  page('tag left open', '<body><p>x<div class="a'),
  page('tag left open after a name', '<body><p>x<div'),
  page('attribute left open with a tag in it', '<body><p>x<div title="</body></html>'),
  page('end tag left open', '<body><p>x</'),
  page('end tag with a name left open', '<body><p>x</p'),
  page('less-than at the end', '<body><p>x <'),
  page('reference left open', '<body><p>x &am'),
  page('plaintext', '<body><p>x<plaintext></body></html>'),
  page('cdata left open', '<body><svg><![CDATA[ </svg></body>'),
  marked('cdata in svg', '<head>⓿</head><body>❶<svg><![CDATA[ </svg></body> ]]></svg>x❷</body>'),
  marked('cdata outside of svg', '<head>⓿</head><body>❶<![CDATA[ x ]]>y❷</body>'),
  marked('unclosed formatting', '<head>⓿</head><body>❶<b><i><p>x</b>y</i>❷</body>'),
  marked('misnested links', '<head>⓿</head><body>❶<a><div><a>x</div></a>❷</body>'),
  marked('markup misplaced in a table', '<head>⓿</head><body>❶<table><p>x<tr><td>y</table>❷</body>'),
  marked(
    'form in a form',
    '<head>⓿</head><body>❶<form><form></form></body></form>'.replace('</body></form>', '</form>❷</body>'),
  ),
  marked('conditional comments', '<head><!--[if IE]><script></script></head><![endif]-->⓿</head><body>❶x❷</body>'),
  marked('comment that closes at once', '<head><!-->⓿</head><body>❶<!--->x❷</body>'),
  marked('comment closed with a bang', '<head><!-- </head> --!>⓿</head><body>❶x❷</body>'),
  marked('null and emoji', '<head><title>😀</title>⓿</head><body>❶😀 <p title="😀">x</p>❷</body>'),
  marked(
    'a script with a comment and a script in it',
    '<head><script><!-- <script> </script> </head> --></script>⓿</head><body>❶x❷</body>',
  ),
]

/** A generator of whole numbers below a bound that always gives the same (mulberry32). */
export function numbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) % below
  }
}

const BLANKS = ['', '', '\n', '  ', '\r\n', '\t\n ']
const DOCTYPES = [
  '<!doctype html>',
  '<!DOCTYPE html>',
  '',
  '<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN" "http://www.w3.org/TR/html4/loose.dtd">',
  '<!-- a --><!doctype html>',
  '<?php ?>',
]
const HEAD_PARTS = [
  '<title>x</title>',
  '<title></head></title>',
  '<meta charset=utf-8>',
  '<META name="a" content="</head>">',
  '<link rel="x">',
  '<base>',
  '<style>a{content:"</head>"}</style>',
  '<script>var head = "<body></body>"</script>',
  '<script type="application/ld+json">{"a": "</head>"}</script>',
  '<!-- </head> -->',
  '<!--[if IE]></head><![endif]-->',
  '<noscript><style></head></style></noscript>',
  '<template><div></head><body></template>',
  '<SCRIPT><!-- <script></script> //--></SCRIPT>',
]
const BODY_PARTS = [
  '<p>x',
  '<p>x</p>',
  'text &amp; more',
  '&copy',
  '<div class="a>b">x</div>',
  "<div title='</body>'>x</div>",
  '<!-- </body> -->',
  '<script>var own = "</body>"</script>',
  '<script>/* <!-- */</script>',
  '<textarea></body></textarea>',
  '<style>b{}</style>',
  '<svg viewBox="0 0 1 1"><title></body></title><path d="M0 0"/></svg>',
  '<svg/>',
  '<math><mi>x</mi></math>',
  '<template><body></body></template>',
  '<table><tr><td>x</body></td></tr></table>',
  '<table>x<tr><td>y</table>',
  '<ul><li>a<li>b</ul>',
  '<select><option>a<option>b</select>',
  '<b>x',
  '</b>',
  '<i><b>x</i>y</b>',
  '<a href="#">x<a>y</a>',
  '<br>',
  '</br>',
  '</p>',
  '<img alt="</body>">',
  '<input value=">">',
  '<iframe></body></iframe>',
  '<noscript></body></noscript>',
  '<head>',
  '</head>',
  '<html class="late">',
  '<body class="late">',
  '<!doctype html>',
  '<button><p>x</button>',
  '<xmp></body></xmp>',
  '<form><input></form>',
  '<h1>x<h2>y</h2>',
  '<pre>\n x</pre>',
  '<custom-element>x</custom-element>',
  '<svg><foreignObject><p></body></p></foreignObject></svg>',
  '<object><p>x</object>',
  '<details><summary>x</summary>y</details>',
  '<ruby>a<rt>b</ruby>',
  '\u00A0',
  '日本語',
  '😀',
  '<p\nclass=a\n>',
  '<hr/>',
  '<dl><dt>a<dd>b</dl>',
  '<video></video>',
  '<font color=red>x',
  '<center>',
  '<nobr>x<nobr>y',
  '<marquee></body></marquee>',
]
const ENDINGS = [
  '',
  '',
  '',
  '\n',
  '<!-- end -->',
  '<p>open',
  '<div><b>open',
  '<!-- open',
  '<div open="',
  '<script>open',
  '<svg><g>',
  '<textarea>open',
  '<template><i>',
  '<select><option>',
  '</',
  '<',
  '<table><tr><td>',
]

/** Pages put together from parts, some tags left out, some written twice: always the same ones for a seed. */
export function generatedPages(seed: number, count: number): OddPage[] {
  const next = numbers(seed)
  return Array.from({ length: count }, (_, index) => generatedPage(`generated ${seed}/${index}`, next))
}

function generatedPage(name: string, next: (below: number) => number): OddPage {
  const one = (choices: readonly string[]) => choices[next(choices.length)]!
  const some = (choices: readonly string[], most: number) =>
    Array.from({ length: next(most + 1) }, () => one(choices) + one(BLANKS)).join('')
  const cased = (tag: string) => (next(4) === 0 ? tag.toUpperCase() : tag)
  const expected: NonNullable<OddPage['expected']> = {}
  let html = next(12) === 0 ? '\uFEFF' : ''
  html += one(DOCTYPES) + one(BLANKS)
  if (next(3) > 0) html += cased('<html lang="en">') + one(BLANKS)
  const hasHead = next(4) > 0
  if (hasHead) html += cased('<head>')
  html += one(BLANKS) + some(HEAD_PARTS, 5)
  if (hasHead && next(4) > 0) {
    expected.head = html.length
    html += cased('</head>') + one(BLANKS)
    if (next(4) === 0) html += one(['<script>1</script>', '<meta name=late>', '<style></style>'])
  }
  if (next(4) > 0) {
    html += cased(one(['<body>', '<body class="a > b">', '<body\n onload="" class=x >']))
    expected.body_start = html.length
  }
  html += one(BLANKS) + some(BODY_PARTS, 9)
  if (next(4) > 0) {
    expected.body_end = html.length
    html += cased('</body>') + one(BLANKS)
    if (next(2) > 0) html += cased('</html>') + one(['', '\n', '<!-- end -->'])
  } else {
    html += one(ENDINGS)
  }
  return { name, html, expected }
}
