import { announcement } from './gallery/announcement.ts'
import type { Design } from './gallery/design.ts'
import { digest } from './gallery/digest.ts'
import { event } from './gallery/event.ts'
import { letter } from './gallery/letter.ts'
import { productUpdate } from './gallery/product-update.ts'
import { report } from './gallery/report.ts'
import { roundup } from './gallery/roundup.ts'
import { sale } from './gallery/sale.ts'
import { survey } from './gallery/survey.ts'
import { welcome } from './gallery/welcome.ts'

/** The built-in designs in display order. */
export const GALLERY: readonly Design[] = [
  announcement,
  digest,
  welcome,
  letter,
  productUpdate,
  event,
  roundup,
  report,
  sale,
  survey,
]

export const findDesign = (id: string): Design | null => GALLERY.find((design) => design.id === id) ?? null

/** A design's name in file names. */
export const designSlug = ({ id }: Pick<Design, 'id'>): string => id.slice('builtin:'.length)
