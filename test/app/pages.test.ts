import { expect, test } from 'bun:test'
import { LOADERS } from '../../static/app/loaders.ts'
import { PLACES } from '../../static/app/pages.ts'

test.each(PLACES.map(({ name, pages }) => [name, pages] as const))(
  'Each page of %s has code and a title.',
  (_, pages) => {
    expect(pages.filter(({ source, title }) => LOADERS[source] === undefined || title === '')).toEqual([])
    expect(pages.filter(({ path }) => !path.startsWith('/'))).toEqual([])
    expect(new Set(pages.map(({ path }) => path)).size).toBe(pages.length)
  },
)
