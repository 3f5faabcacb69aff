import { checkDocument, type EmailDocument } from '../../../src/newsletter/email/document.ts'
import { compileEmail, type EmailSource, fillEmail } from '../../../src/newsletter/email/render.ts'
import { type Element, elementsOf } from './dom.ts'

/** Messages that are made of a few blocks. */

/** A block without its id. */
export type Sketch = [type: string, props: Record<string, unknown>]
type More = Partial<EmailSource> & { settings?: EmailDocument['settings'] }

export const blocks = (sketches: Sketch[], prefix = 'b') =>
  sketches.map(([type, props], at) => ({ id: `${prefix}${at}`, type, props }))

export const compile = (sketches: Sketch[], { settings = {}, ...more }: More = {}) =>
  compileEmail({
    document: checkDocument({ version: 1, settings, blocks: blocks(sketches) }, ''),
    subject: 'News',
    brand: { project_name: 'Atelier' },
    ...more,
  })

export const draw = (sketches: Sketch[], more?: More) =>
  fillEmail(compile(sketches, more), {
    'contact.first_name': 'Ada',
    unsubscribe_url: 'https://n.example/u',
    preferences_url: 'https://n.example/p',
    view_url: 'https://n.example/v',
  })

export const found = (html: string, match: (element: Element) => boolean) => elementsOf(html).elements.filter(match)

export const text = (html: string): Sketch => ['text', { html }]
