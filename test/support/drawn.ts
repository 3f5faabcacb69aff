/**
 * What an element shows, as text: a line for each element with its name, its classes, its attributes and its words,
 * indented below what holds it. Elements that hold one other element and nothing else stand in its line.
 * @param name gives what is random in a text a name, before long texts are cut
 */
export function drawnOutline(root: Element, name: (text: string) => string): string[] {
  const nameBefore = named
  named = name
  try {
    return [...root.children].flatMap((child) => lines(child, ''))
  } finally {
    named = nameBefore
  }
}

let named = (text: string): string => text

/** Attributes whose values are made anew for each page, or say what another line says, or come from a library. */
const LEFT_OUT = new Set([
  'draggable',
  'data-drop-target-for-element',
  'aria-controls',
  'form',
  'list',
  'class',
  'id',
  'for',
  'value',
  'checked',
  'd',
  'data-popover-open',
  'xmlns',
  'fill',
])
/** Attributes that name other elements. */
const REFERENCES = new Set(['aria-labelledby', 'aria-describedby', 'popovertarget'])
const MAX_TEXT = 300
const MAX_NAMED = 3000
const MAX_OPTIONS = 30
/** What the elements of a table and most buttons say of themselves. */
const USUAL = new Set(['role=table', 'role=rowgroup', 'role=row', 'role=cell', 'role=columnheader', 'type=button'])

function lines(element: Element, indent: string): string[] {
  const own = describe(element)
  if (element.localName === 'svg' || element.localName === 'iframe') return [indent + own]
  const parts = [...element.childNodes].filter(({ nodeType, textContent }) =>
    nodeType === 3 ? textContent!.trim() !== '' : nodeType === 1,
  )
  const words = parts.filter(({ nodeType }) => nodeType === 3)
  if (parts.length === 0) return [indent + own]
  if (parts.length > MAX_OPTIONS && parts.every(({ nodeName }) => nodeName === 'OPTION'))
    return [`${indent}${own}: ${parts.length} options, ${short(element.textContent!)}`]
  if (words.length === parts.length) return [`${indent}${own}: ${short(element.textContent!)}`]
  if (element.localName === 'td') {
    // On a phone the name of the column stands in each cell.
    const at = parts.findIndex((part) => part.nodeType === 1 && (part as Element).matches('.table-name'))
    if (at >= 0) parts.splice(at, 1)
  }
  if (parts.length === 1 && parts[0]!.nodeType === 1) {
    const [first = '', ...rest] = lines(parts[0] as Element, indent)
    return [`${indent}${own} > ${first.slice(indent.length)}`, ...rest]
  }
  const inner = `${indent}  `
  const below = parts.flatMap((part) =>
    part.nodeType === 3 ? [`${inner}"${short(part.textContent!)}"`] : lines(part as Element, inner),
  )
  return [indent + own, ...below]
}

function describe(element: Element): string {
  const classes = [...element.classList].map((name) => `.${name}`).join('')
  const attributes = [...element.attributes]
    .filter(({ name }) => !LEFT_OUT.has(name))
    .filter(({ name, value }) => name !== 'name' || !/^P\d+-\d+$/.test(value))
    .map(({ name, value }) =>
      value === ''
        ? name
        : `${name}=${REFERENCES.has(name) ? words(value) : short(value.replaceAll(/--\w*P\d+-\d+/g, '--p'))}`,
    )
    .filter((attribute) => !USUAL.has(attribute))
  if (element.localName === 'svg') return `svg ${(element.querySelector('[d]')?.getAttribute('d') ?? '').slice(0, 12)}`
  const { value, checked } = element as HTMLInputElement
  const isField = ['input', 'textarea', 'select', 'option'].includes(element.localName)
  if (isField && value !== '' && value !== 'on') attributes.push(`value=${short(value)}`)
  if (checked) attributes.push('checked')
  if ('data-popover-open' in element.attributes) attributes.push('open')
  return element.localName + classes + (attributes.length > 0 ? `[${attributes.join(' ')}]` : '')
}

/** The words of the elements with these ids. */
function words(ids: string): string {
  const found = ids.split(' ').map((id) => document.getElementById(id))
  return JSON.stringify(found.map((one) => (one ? short(one.textContent!).slice(0, 40) : 'nothing')).join(' + '))
}

function short(text: string): string {
  const line = named(text.replaceAll(/\s+/g, ' ').trim())
  // A whole message has its random parts broken into lines.
  if (line.length > MAX_NAMED) return `${line.slice(0, 100)}…`
  return line.length > MAX_TEXT ? `${line.slice(0, MAX_TEXT)}… (${line.length})` : line
}
