/** HTML, styles and links of authors, for the tour of letters. */

const sheet = (css: string, body: string, media = '') => `<style${media && ` media="${media}"`}>${css}</style>${body}`

export const HTML_CASES: readonly [heading: string, html: string][] = [
  [
    'A whole document.',
    '<!doctype html><html lang="en"><head><title>T</title><meta charset="x"><style>' +
      'body{color:red}</style></head><body style="background:#eee" class="b" id="i">Body <!-- note -->' +
      ' text</body></html>',
  ],
  [
    'Lists in lists.',
    '<ol start="4"><li>four<ul><li>a</li><li>b<ol type="a"><li>b1</li><li>b2</li></ol></li></ul></li>' +
      '<li>five</li></ol><ul><li></li><li><p>para</p><p>two</p></li></ul><dl><dt>t</dt><dd>d</dd></dl>',
  ],
  [
    'Quotations and verbatim text.',
    '<blockquote>one<br>two<blockquote>inner</blockquote></blockquote><pre>a  b\n  c\n\nd</pre><p>' +
      'x&nbsp;&nbsp;y&shy;z&#8203; end   .</p><br><br><br><p>after</p>',
  ],
  [
    'Tables for data and for layout.',
    '<table border="1" width="300" cellpadding="4"><caption>Cap</caption><thead><tr><th scope="col">' +
      'H1</th><th>H2</th></tr></thead><tbody><tr><td>a</td><td colspan="2">b</td></tr></tbody></table>' +
      '<table><tr><td>x<table><tr><td>in</td></tr></table></td><td>y</td></tr></table>',
  ],
  [
    'Broken tables.',
    '<td>stray</td><table><div>between</div><tr><p>p</p><td>cell</td></tr><tr><th>h</table><p>' +
      'open <b>bold <i>both</b> after',
  ],
  [
    'Elements that are removed.',
    '<script>x</script><form><input><button>B</button><select><option>o</option></select></form>' +
      '<iframe src="x">i</iframe><svg><text>s</text></svg><video>v</video><object>o</object><marquee>' +
      'm</marquee><o:p>w</o:p><noscript>n</noscript><textarea>t</textarea>',
  ],
  [
    'Attributes that are kept and removed.',
    '<p align="justify" dir="rtl" lang="he" title="T&quot;x" onclick="x" data-a="1" aria-label="L" ' +
      'hidden role="presentation">p</p><font color="#a00" face="Arial, x" size="+2">f</font>' +
      '<font color="red;" size="8" face="a;b">g</font><img src="https://t.example/i.png" width="2000" ' +
      'height="100%" alt="A" align="left" border="0" srcset="x" loading="lazy">' +
      '<img src="data:x" width="2001"><img src="//t.example/r.png" height="20%"><td nowrap>n</td>' +
      '<ol type="I" start="1000" reversed><li value="7">v</li></ol>' +
      '<a href="https://t.example" name="n" target="_blank" rel="x" color="red">a</a>' +
      '<p width="10" src="https://t.example/p" href="https://t.example/q">q</p>',
  ],
  [
    'Links with other texts.',
    '<p>See <a href="https://www.t.example/">t.example</a>, <a href="https://t.example/x">Read: </a>' +
      ' <a href="mailto:a@t.example">a@t.example</a> <a href="tel:+441">call</a> <a href="#top">top</a>' +
      ' <a href="https://t.example/img"><img src="https://t.example/i.png" alt="Pic"></a>' +
      '<a href="https://t.example/none"> &nbsp;</a></p><p><a href="https://t.example/first">First</a>' +
      ' opens</p><p><a href="https://t.example/colon">Colon:</a></p><a>no address</a>',
  ],
  [
    'Colors that are hard to read.',
    '<p style="color:#eee">pale</p><p style="background:#222;color:#333">' +
      'dark <span style="color:#fff">fine</span></p><font color="#fefefe">font</font>' +
      '<p style="color:red">named</p><div bgcolor="#000"><a href="https://t.example">link</a></div>' +
      '<p style="color:#777">edge</p><p style="color:#767676">edge 2</p><h1 style="color:#949494">' +
      'large</h1><h1 style="color:#959595">large 2</h1>',
  ],
  [
    'Twelve colors.',
    Array.from({ length: 12 }, (_, at) => `<b style="color:#${(at + 1).toString(16).repeat(3)}">${at}</b>`).join(''),
  ],
  [
    'Thirteen colors.',
    Array.from({ length: 13 }, (_, at) => `<b style="color:#${(at + 1).toString(16).repeat(3)}">${at}</b>`).join(''),
  ],
  [
    'A placeholder that formatting has split.',
    '<p>{{ contact.<b>first</b>_name }} and {<i>{ contact.email }</i>} {{ date <span></span>' +
      '| default: <u>"now"</u> }} {<b>{ open</b></p><p>{{ contact.last_name\n}} {{<br>date }}</p>',
  ],
  [
    'Placeholders and their defaults.',
    '<p>{{ contact.none | default: a }} {{contact.custom.none|default:"b {c}"}} {{ ' +
      `contact.custom.none | default: 'd' }} {{ contact.custom.none | default: &quot;e&quot; }} {{ ` +
      'contact.custom.none | default: ‘f’ }} {{ Contact.email }} {{ }} {{ contact.custom.A }} {{ a | ' +
      `upper }} {{{ date }}}</p><a href="{{ contact.custom.none | default: 'https://t.example/d' }}/x">` +
      'l</a><a href="{{ contact.custom.none }}">m</a>',
  ],
  [
    'Styles of a sheet.',
    sheet(
      'p{color:#111}.a{margin:1px}#i{padding:2px!important}p.a{margin:3px}div p{text-indent:4px}div>' +
        'p{text-align:right}*{line-height:2}p,b{letter-spacing:1px}p:hover{color:red}[x]{color:red}a b c ' +
        'd e{color:#010}a b c d e f{color:#020}',
      '<div><p class="a z" id="i" style="margin:9px">x</p><span><p>y <b>b</b></p></span></div><p>z</p>',
    ),
  ],
  [
    'Media queries of a sheet.',
    sheet(
      '@import url(x);@font-face{font-family:x}@media (max-width:480px){.m{width:100%!important;' +
        'color:#222}p{margin:5px;font-size:1em}@media print{p{color:red}}}@media screen and ' +
        '(min-width:30.5em) and (max-width:60rem){.m{padding:6px}}@media (prefers-color-scheme: ' +
        'dark){.m{color:#eee}}@media print{.m{color:#333}}@media all{.m{border:0}}@media print, ' +
        '(max-width:10px){.m{margin:7px}}@supports (x){p{color:red}}',
      '<div class="m" style="color:#444">x<p class="m" style="margin-top:1px;margin:8px">y</p></div><p>z</p>',
    ),
  ],
  [
    'Sheets with media attributes.',
    sheet(
      '.q{margin:1px}@media (max-width:9px){.q{margin:2px}}@media all{.q{padding:3px}}',
      '<p class="q">q</p>',
      'only screen and (max-width:99px)',
    ) +
      sheet('.q{padding:4px}', '', 'print') +
      sheet('/* c */.q{text-indent:5px/* d */}<!-- .q{color:red} -->', '', 'all') +
      '<style>.q{color:red}',
  ],
  [
    'Comments for Outlook.',
    '<!--[if mso]><table><tr><td width="200" style="padding:1px;position:fixed" title="x" class="c">' +
      '<![endif]--><div>one</div><!--[if mso | IE]></td><td>&nbsp;<![endif]--><div>two</div>' +
      '<!--[if (gte mso 9)|(IE)]></td></tr></table><![endif]--><!--[if !mso]><!--><p>not</p>' +
      '<!--<![endif]-->',
  ],
  [
    'Comments for Outlook that are not whole.',
    '<!--[if mso]><table><tr><td><![endif]--><p>x</p><!--[if mso]></td></tr><![endif]-->',
  ],
  [
    'Comments for Outlook with more than tables.',
    '<!--[if mso]><table><tr><td>text</td></tr></table><![endif]--><!--[if gte mso 9]>' +
      '<v:rect fill="x"><v:fill/></v:rect><table><tr><td><![endif]-->a<!--[if mso]></td></tr></table>' +
      '<![endif]--><!--[if lt mso 9]><table></table><![endif]--><!--[if mso]><table/><![endif]-->',
  ],
  [
    'Tiny fonts.',
    '<div style="font-size:0">gone<span style="font-size:14px">kept</span></div>' +
      '<div style="font-size:0;margin:1px"><span style="font-size:14px">only</span></div>' +
      '<div style="font-size:3px"><b style="font-size:2em">rel</b></div><div style="font-size:0">' +
      '<font size="3">f</font><i style="font:12px/1.5 Arial">g</i> &#8203;</div>',
  ],
  ['An image alone.', '<img src="https://t.example/a.png">'],
  ['Nothing.', ' <p> </p> '],
]

/** Declarations: each property by groups, and values at their limits. */
export const STYLES: readonly string[] = [
  'color:#123;background:#456;background-color:#789;font:12px Arial;font-family:"A b",\'C\';' +
    'font-size:13px;font-style:italic',
  'font-variant:small-caps;font-weight:700;line-height:1.5;letter-spacing:-1px;word-spacing:-2px;' +
    'text-align:left;text-decoration:none',
  'text-decoration-color:red;text-decoration-line:underline;text-decoration-style:dotted;' +
    'text-decoration-thickness:2px;text-indent:3px',
  'text-transform:uppercase;vertical-align:-4px;white-space:nowrap;word-break:break-all;' +
    'word-wrap:normal;overflow-wrap:anywhere;hyphens:auto',
  'direction:rtl;list-style:none;list-style-position:inside;list-style-type:disc;caption-side:top;table-layout:fixed',
  'margin:1px;margin-top:2px;margin-right:3px;margin-bottom:4px;margin-left:5px;padding:6px;' +
    'padding-top:7px;padding-left:8px',
  'border:1px solid red;border-color:red;border-style:solid;border-width:1px;border-top:0;' +
    'border-right-color:red;border-left-width:2px;border-bottom-style:dashed',
  'border-radius:1px;border-top-left-radius:2px;border-bottom-right-radius:3px;' +
    'border-collapse:collapse;border-spacing:4px',
  'width:1px;min-width:2px;max-width:3px;height:4px;min-height:5px;max-height:6px;outline:0;clear:both',
  '-webkit-text-size-adjust:100%;-ms-text-size-adjust:99%;text-size-adjust:98%;' +
    'mso-line-height-rule:exactly;mso-padding-alt:1px',
  'mso-table-lspace:1px;mso-table-rspace:2px;mso-text-raise:-3px;-ms-interpolation-mode:bicubic;mso-hide:all',
  'position:fixed;opacity:0;visibility:hidden;overflow:hidden;transform:none;--x:1;z-index:9;' +
    'content:x;background-image:url(x)',
  'display:block;display:none;display:inline-block;display:flex;display:table-cell;display:LIST-ITEM',
  'float:left;float:none;float:inherit;cursor:pointer;cursor:wait;cursor:default',
  'margin:2000px;margin:2001px;margin:-1px;margin:50em;margin:51em;margin:1500pt;margin:1501pt;' +
    'margin:50rem;margin:51rem',
  'margin:100ex;margin:101ex;margin:200ch;margin:201ch;margin:500%;margin:501%;line-height:1000;' +
    'line-height:1001;margin:1vw;margin:1cm',
  'font-size:4px;font-size:3.9px;font-size:3pt;font-size:2.9pt;font-size:.3em;font-size:.29em;' +
    'font-size:30%;font-size:29%;font-size:0',
  'font-size:.3rem;font-size:.2rem;font-size:.6ex;font-size:.5ex;font-size:.6ch;font-size:.5ch;' +
    'font:3px Arial;font:1 Arial',
  'letter-spacing:-20px;letter-spacing:-21px;word-spacing:-20px;vertical-align:-21px;' +
    'text-indent:-1px;mso-text-raise:-20px',
  'color:transparent;background:transparent;color:rgb(1,2,3);color:rgba(1,2,3,.5);' +
    'color:hsl(1,2%,3%);color:lab(1 2 3);color:var(--x)',
  'background:#abc url(x.png);background:rgb(1, 2, 3) url(x);background:url(x) #abc;' +
    'color:expression(x);width:calc(1px + 2px)',
  'COLOR : #ABC ! important; margin:1px!IMPORTANT;; : x;nothing;font-family:a\\b',
]

export const URLS: readonly [url: string, text: string][] = [
  ['https://bit.ly/x', 'short'],
  ['https://www.tinyurl.com/x', 'short'],
  ['https://not-bit.ly/x', 'long'],
  ['http://192.0.2.7/x', 'number'],
  ['http://[2001:db8::1]/x', 'number'],
  ['https://t.example/a', 'https://u.example/a'],
  ['https://t.example/a', 'u.example'],
  ['https://t.example/a', 'www.t.example/b?c'],
  ['https://t.example/a', 'sub.t.example'],
  ['https://sub.t.example/a', 't.example:8080'],
  ['https://notes.t.example/a', 'Node.js'],
  ['https://t.example/a', 'www.node.js'],
  ['https://t.example/a', 'https://report.pdf'],
  ['https://t.example/a', 'read u.example'],
  ['https://{{ contact.custom.city }}.example/', 'u.example'],
  ['https://t.example/{{ contact.email }}', 'u.example'],
  ['www.t.example/x', 'bare'],
  ['//t.example/x', 'no scheme'],
  [' java\u200Bscript:x ', 'script'],
  ['ftp://t.example', 'ftp'],
  ['https://t.example/a b\u00ADc', 'blank'],
  ['mailto:a@t.example?subject={{ contact.first_name }}', 'mail'],
  ['{{ view_url }}', 'view'],
  ['/relative', 'relative'],
  ['https://t.example', '{{ contact.email }}'],
]
