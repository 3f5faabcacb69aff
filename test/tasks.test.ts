import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { declaredRoutes } from '../src/http/routes.ts'
import { findPage } from '../src/shared/app-pages.ts'
import { PLACES } from '../static/app/pages.ts'

const TASKS = await Bun.file(join(import.meta.dir, '../docs/tasks.md')).text()

test('Each task of docs/tasks.md has a page that exists.', () => {
  const addresses = [...TASKS.matchAll(/\| `(\/portal[^`]*)`/g)].map(([, address]) => address!)
  const routes = new Set(declaredRoutes().map(({ path }) => path))
  const missing = addresses.filter((address) => {
    const place = PLACES.find(({ root }) => address.startsWith(root.replace(':project', ':slug')))
    const path = place && address.slice(place.root.replace(':project', ':slug').length)
    return !routes.has(address) && (path === undefined || findPage(place!.pages, path) === null)
  })
  expect([addresses.length > 40, missing]).toEqual([true, []])
})
