import { Parser } from 'htmlparser2'

/** An element as read by an independent parser. */
export interface Element {
  name: string
  attributes: Record<string, string>
  parents: Element[]
  text: string
}

/** Every element of a piece of HTML, with those around it and the text directly and indirectly in it. */
export function elementsOf(html: string): { elements: Element[]; comments: string[]; text: string } {
  const elements: Element[] = []
  const comments: string[] = []
  const open: Element[] = []
  let all = ''
  const parser = new Parser({
    onopentag: (name, attributes) => {
      const element = { name, attributes, parents: [...open], text: '' }
      elements.push(element)
      open.push(element)
    },
    ontext: (text) => {
      all += text
      for (const element of open) element.text += text
    },
    onclosetag: () => void open.pop(),
    oncomment: (comment) => void comments.push(comment),
    onprocessinginstruction: (_, data) => void comments.push(data),
  })
  parser.end(html)
  return { elements, comments, text: all }
}

const FORBIDDEN = new Set([
  'script',
  'style',
  'iframe',
  'object',
  'embed',
  'applet',
  'form',
  'input',
  'button',
  'select',
  'option',
  'textarea',
  'base',
  'link',
  'meta',
  'svg',
  'math',
  'template',
  'noscript',
  'title',
  'head',
  'body',
  'html',
  'frame',
  'frameset',
  'video',
  'audio',
  'plaintext',
  'xmp',
  'marquee',
])
const HIDING = new RegExp(
  [
    'display:none|visibility|opacity|position|url\\(|expression|behavior',
    'mso-hide|max-height|overflow|transform|@import',
    '-moz-binding',
    '(?:margin[\\w-]*|text-indent):\\s*-',
    'font(?:-size)?:\\s*0(?![.\\d])',
  ].join('|'),
  'i',
)
const TABLE_PARENTS: Record<string, string[]> = {
  caption: ['table'],
  colgroup: ['table'],
  col: ['colgroup', 'table'],
  thead: ['table'],
  tbody: ['table'],
  tfoot: ['table'],
  tr: ['table', 'thead', 'tbody', 'tfoot'],
  td: ['tr'],
  th: ['tr'],
}

/** Forbidden markup in the result of sanitizing; empty when there is none. */
export function dangersIn(html: string): string[] {
  const { elements, comments } = elementsOf(html)
  const found = comments.map((comment) => `comment ${comment}`)
  for (const { name, attributes, parents } of elements) {
    const parent = parents.at(-1)?.name ?? ''
    if (FORBIDDEN.has(name)) found.push(`<${name}>`)
    if (
      TABLE_PARENTS[name]
        ? !TABLE_PARENTS[name].includes(parent)
        : /^(?:table|thead|tbody|tfoot|tr|colgroup)$/.test(parent)
    )
      found.push(`<${name}> in <${parent}>`)
    for (const [attribute, value] of Object.entries(attributes)) {
      if (/^on|^(?:id|class|hidden|srcset|background|action|formaction|srcdoc|ping)$|:/.test(attribute))
        found.push(attribute)
      if (/^(?:href|src)$/.test(attribute) && !/^(?:https?:\/\/|mailto:|tel:|#|\{\{)/i.test(value))
        found.push(`${attribute}=${value}`)
      if (attribute === 'style' && HIDING.test(value)) found.push(`style=${value}`)
    }
  }
  return found
}

/** Numbers from 0 to 1, the same ones for the same seed. */
export function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 4294967296
  }
}

const NAMES = (
  'a b p div table tr td th tbody thead caption colgroup col ul li dl dd span font center h1 pre form button ' +
  'select option script style ' +
  'svg math mtext foreignObject desc title textarea noscript iframe object template body html head img br hr ' +
  'input plaintext xmp noembed'
).split(' ')
const ATTRIBUTES = [
  'onclick=alert(1)',
  'ONERROR="x()"',
  'href="javascript:alert(1)"',
  'href=" jav&#x09;ascript:x"',
  'href="https://ok.example/"',
  'href="{{ contact.custom.site }}"',
  'href="data:text/html,x"',
  'src=https://ok.example/x.png',
  'src=x',
  'style="position:fixed;top:0"',
  'style="display:none"',
  'style="color:red;margin-top:-900px"',
  'id=x',
  'class="m-mute"',
  'hidden',
  "style='background:url(javascript:x)'",
  'title="--><script>x</script>"',
  'alt="</td></table><!--"',
  '{{ x }}',
  '<',
  '"',
  "'",
  '/',
  '=',
  'bgcolor=red',
  'colspan=3',
  'dir=rtl',
]
const SCRAPS = [
  'text',
  '<!--',
  '-->',
  '<![CDATA[',
  ']]>',
  '<![endif]-->',
  '<!--[if mso]>',
  '&lt;script&gt;',
  '{{ contact.first_name }}',
  '{{',
  '}}',
  '{',
  '}',
  '{{ contact.<b>',
  'first_name | default: "',
  '<',
  '>',
  '"',
  "'",
  '&',
  '&#0;',
  '\u0000',
  '<?php',
  '<!doctype html>',
  '</',
  '< div>',
  '&#60;div&#62;',
  ' ',
  '\n',
]

/** A piece of broken, hostile markup. */
export function hostileFragment(random: () => number): string {
  const pick = (from: readonly string[]) => from[Math.floor(random() * from.length)]!
  let html = ''
  for (let left = 1 + Math.floor(random() * 14); left > 0; left--) {
    const what = random()
    if (what < 0.45) {
      html += `<${pick(NAMES)}`
      while (random() < 0.35) html += ` ${pick(ATTRIBUTES)}`
      html += pick(['>', '>', '>', '/>', ''])
    } else html += what < 0.7 ? `</${pick(NAMES)}>` : pick(SCRAPS)
  }
  return html
}
