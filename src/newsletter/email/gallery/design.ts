import type { EmailBlock } from '../blocks.ts'
import type { EmailDocument } from '../document.ts'
import type { NestedBlock } from '../nested.ts'

/** A design of the gallery: a document whose text people replace with their own. */
export interface Design {
  id: `builtin:${string}`
  name: string
  description: string
  subject: string
  /** `site` is the address that its buttons lead to, without a slash at the end. */
  document(site: string): EmailDocument
}

type SketchOf<Block extends { type: string; props: unknown }> = Block extends { type: infer Type; props: infer Props }
  ? [type: Type, props: Props]
  : never
type Nested = SketchOf<NestedBlock>
/** A block without its id; in `columns` with the blocks of each column. */
export type Sketch =
  | SketchOf<Exclude<EmailBlock, { type: 'columns' }>>
  | ['columns', Omit<Extract<EmailBlock, { type: 'columns' }>['props'], 'columns'>, ...ColumnSketch[]]
export type ColumnSketch = { share?: number; blocks: Nested[] }

/** A document with numbered blocks. */
export function draft(settings: EmailDocument['settings'], sketches: readonly Sketch[]): EmailDocument {
  let count = 0
  const id = () => `b${++count}`
  const nested = ([type, props]: Nested): NestedBlock => ({ id: id(), type, props }) as NestedBlock
  const blocks = sketches.map((sketch): EmailBlock => {
    if (sketch[0] !== 'columns') return { id: id(), type: sketch[0], props: sketch[1] } as EmailBlock
    const [type, props, ...columns] = sketch
    return {
      id: id(),
      type,
      props: {
        ...props,
        columns: columns.map(({ share, blocks }) => ({ ...(share && { share }), blocks: blocks.map(nested) })),
      },
    }
  })
  return { version: 1, settings, blocks }
}

/** A few words above a heading, small and spaced. */
export const eyebrow = (words: string): string =>
  `<p style="margin:0;font-size:13px;line-height:18px;font-weight:700;letter-spacing:0.09em;` +
  `text-transform:uppercase">${words}</p>`

/** Small print: terms, dates, notes. */
export const small = (html: string): string => `<p style="font-size:14px;line-height:22px">${html}</p>`

export const SERIF = "Georgia, 'Times New Roman', serif"
