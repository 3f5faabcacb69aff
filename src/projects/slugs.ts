import { and, eq, gt, lt, or } from 'drizzle-orm'
import { normalForm } from '../normal-form.ts'
import type { Reader } from '../store/open.ts'
import { projects } from '../store/tables/accounts.ts'

export const MAX_PROJECT_SLUG = 63

/** Latin letters that Unicode does not take apart into a plain letter and an accent. */
const PLAIN: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ı: 'i',
}

/** Characters of a title that may be part of a slug. */
const MAX_READ = 1000

/**
 * A slug made from a title: accents are removed, and runs of other characters than a-z and 0-9 become a hyphen.
 *
 * @param most characters
 */
export function slugOf(title: string, most: number): string {
  const plain = normalForm(title.slice(0, MAX_READ), 'NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[ßæœøłđðþħı]/g, (letter) => PLAIN[letter]!)
  const slug = plain
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, most)
    .replace(/^-+|-+$/g, '')
  return slug === '' ? 'untitled' : slug
}

/** Numbers that are tried after a slug in use. */
const MAX_NUMBERS = 999

/** The slug of a new project, from its name: the first of `harbour`, `harbour-2`, `harbour-3` that is free. */
export async function freeSlug(db: Reader, name: string): Promise<string> {
  const base = slugOf(name, MAX_PROJECT_SLUG - `-${MAX_NUMBERS}`.length)
  const rows = await db
    .select({ slug: projects.slug })
    .from(projects)
    // The dot follows the hyphen in ASCII.
    .where(or(eq(projects.slug, base), and(gt(projects.slug, `${base}-`), lt(projects.slug, `${base}.`))))
  const taken = new Set(rows.map(({ slug }) => slug))
  let slug = base
  for (let number = 2; taken.has(slug) && number <= MAX_NUMBERS; number++) slug = `${base}-${number}`
  return slug
}
