/** Texts of a given length that make a careless pattern or loop take quadratic time. */
export type Shape = (length: number) => string

const repeated =
  (unit: string): Shape =>
  (length) =>
    unit.repeat(Math.floor(length / unit.length))

export const shapes: Readonly<Record<string, Shape>> = {
  'style start tags': repeated('<style>'),
  'CSS comments without an end': (length) => `<style>${'/* '.repeat(Math.min(length, 99_000) / 3 - 20)}</style>x`,
  'one element with many classes': (length) =>
    `<style>${'.a'.repeat(length / 8)}{color:red}</style>${'<p class="a">x</p>'.repeat(length / 30)}`,
  'media rules for each element': (length) =>
    `<style>${'@media (max-width:1px){*{color:red}}'.repeat(length / 144)}</style>${'<p>x</p>'.repeat(length / 11)}`,
  'media queries without an end': (length) => `<style>${'@media (a) and '.repeat(length / 20)}</style>x`,
  'style elements with media': repeated('<style media="print">a{}</style>'),
  'conditional comments with tables': repeated('<!--[if mso]><table><tr><td></td></tr></table><![endif]-->'),
  'conditional comments without an end': repeated('<!--[if mso]><table'),
  'nested conditional tables': repeated('<!--[if mso]><table><tr><td><![endif]-->'),
  'containers without a font size': repeated('<p style="font-size:0">x'),
  'less-than signs': repeated('<'),
  ampersands: repeated('&'),
  'opening braces': repeated('{{'),
  'placeholders without a name': repeated('{{}}'),
  'quoted defaults without an end': repeated('{{a|default:"'),
  'split placeholders': repeated('{<b>{a</b>}}'),
  'double quotes': repeated('"'),
  'single quotes': repeated("'"),
  'comments without an end': repeated('<!--'),
  'CDATA sections': repeated('<![CDATA['),
  'nested elements': repeated('<b>'),
  'nested quotations': repeated('<blockquote>'),
  'nested tables': repeated('<table>'),
  'nested formatting in paragraphs': repeated('<b><p>'),
  'end tags': repeated('</p>'),
  'links in one line': repeated('<a href="http://a.b">x</a>'),
  'links with an address as text': repeated('<a href="http://a.b">c.d</a>'),
  'images in one line': repeated('<img src="http://a.b/x" alt="y ">'),
  entities: repeated('&amp;'),
  'numeric entities without an end': repeated('&#x'),
  spaces: (length) => `a${' '.repeat(length)}a`,
  'line ends': repeated('\n'),
  tabs: repeated('\t'),
  'address beginnings': repeated('a@'),
  'letters before a final at sign': (length) => `${'a'.repeat(length)}@`,
  'combining marks': repeated('a\u0301'),
  'zero-width spaces': repeated('\u200b'),
  'lone surrogates': repeated('\ud800'),
  'an attribute without an end': (length) => `<a href="${'a'.repeat(length)}`,
  'many attributes': (length) => `<a ${'b '.repeat(length / 2)}`,
  'long numbers in styles': (length) => `<p style="${`width:${'1'.repeat(490)};`.repeat(length / 500)}">x</p>`,
  'host names without an end': (length) => `<a href="http://a.b">${'a.'.repeat(length / 2)}!</a>`,
  'CSV quotes before each line': repeated('"a\n'),
  'CSV delimiters': repeated('a,'),
  'JSON arrays': repeated('['),
  'JSON objects': repeated('{"a":'),
  'header lines': repeated('a: b\r\n'),
  'folded lines': repeated('a\n '),
  backslashes: repeated('\\'),
  slashes: repeated('/'),
  hyphens: repeated('-'),
}
