import { bandGround, columnGround, type Ground } from '../../../src/shared/letter-colors.ts'
import { type Block, findBlock } from './document.ts'
import type { Editor } from './editor.ts'

/** What is behind a block in the letter: its own band, or that of the columns that it is in, or the column. */
export function groundOf({ content, brand }: Editor, block: Block): Ground {
  const { document } = content.value
  const within = findBlock(document, block.id)?.spot.within
  const owner = within ? findBlock(document, within.block)?.block : undefined
  return [owner, block].reduce<Ground>(
    (around, entry) => bandGround(around, text(entry?.props['section_color']), brand.value),
    columnGround(document.settings),
  )
}

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)
