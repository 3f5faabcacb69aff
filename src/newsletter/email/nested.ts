import { type Static, type TObject, type TUnion, Type } from '@sinclair/typebox'
import { line, obj } from '../../schema.ts'
import { cms_posts } from './posts.ts'
import { button, divider, heading, html, image, spacer, text } from './simple-blocks.ts'
import { social } from './social.ts'
import { table } from './table.ts'

/** The kinds of block that are also allowed inside columns. */
export const NESTED = { text, html, heading, image, button, table, divider, spacer, social, cms_posts }

type PropsByType = Record<string, { description: string; props: TObject }>

/** A block of one of these kinds. */
export type BlockOf<Kinds extends PropsByType> = {
  [Type in keyof Kinds & string]: { id: string; type: Type; props: Static<Kinds[Type]['props']> }
}[keyof Kinds & string]
export type NestedBlock = BlockOf<typeof NESTED>

export const BlockId = line(64, { min: 1, description: 'Unique in the document.' })

/** The schema of a block of one of these kinds, strict on every level. */
export function blockSchema<Kinds extends PropsByType>(kinds: Kinds) {
  return Type.Unsafe<BlockOf<Kinds>>(
    Type.Union(
      Object.entries(kinds).map(([type, { description, props }]) =>
        obj({ id: BlockId, type: Type.Literal(type), props }, { description }),
      ),
    ) as TUnion,
  )
}
