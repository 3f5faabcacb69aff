import { type TObject, Type } from '@sinclair/typebox'
import { obj, prose } from '../../schema.ts'
import { Align, kind } from './block-kind.ts'
import { columns } from './columns.ts'
import { footerHtml, footerText } from './footer.ts'
import { type BlockOf, NESTED } from './nested.ts'

const footer = kind({
  description: 'Sender, postal address and unsubscribe link. Added at the end of a document that has none.',
  props: obj({
    text: Type.Optional(prose(2000)),
    align: Type.Optional(Align),
    view_link: Type.Optional(
      Type.Boolean({ default: false, description: 'Adds a link that opens the message in the browser.' }),
    ),
  }),
  html: (props, look) => `<tr>${footerHtml(look, props)}</tr>`,
  text: (props, look) => footerText(look, props),
})

/** Every kind of block. */
export const BLOCKS = { ...NESTED, columns, footer }

/** One block of an email document. */
export type EmailBlock = BlockOf<typeof BLOCKS>

const ORDER = [
  'text',
  'html',
  'heading',
  'image',
  'button',
  'table',
  'divider',
  'spacer',
  'columns',
  'social',
  'cms_posts',
  'footer',
] as const

/** The block types of `schema/get`; `props` is JSON Schema. */
export const BLOCK_TYPES: readonly { type: string; description: string; props: TObject }[] = ORDER.map((type) => ({
  type,
  description: BLOCKS[type].description,
  props: BLOCKS[type].props,
}))
