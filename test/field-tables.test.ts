import { basename } from 'node:path'
import { expect, test } from 'bun:test'
import { pages, withTables } from '../bin/field-tables.ts'
import { declaredRoutes } from '../src/http/routes.ts'
import { operations } from '../src/newsletter/operations.ts'

test('The tables of docs/api are those of the declarations; `bun bin/field-tables.ts` writes them.', () => {
  const old = pages().filter(({ text }) => withTables(text) !== text)
  expect(old.map(({ path }) => basename(path))).toEqual([])
})

const TABLE = /<!-- (?:calls|fields|scopes)[\s\S]*?<!-- end -->/g
/** Such as POST /things/create { name, color? } in the text of a page. */
const CALL = /^(?:(GET|POST|PUT|PATCH|DELETE) )?(\/?[\w/:-]+) \{([^{}]*)\}$/

test('A call in the text of docs/api has the properties that it is said to have, and all that it needs.', () => {
  const routes = declaredRoutes()
  const bodyOf = (method: string, path: string) =>
    path.startsWith('/')
      ? routes.find((route) => route.path === path && (route.methods as readonly string[]).includes(method))?.body
      : operations.find((operation) => operation.path === `/${path}`)?.request
  let calls = 0
  const wrong = pages().flatMap(({ path, text }) =>
    [...text.replaceAll(TABLE, '').matchAll(/`([^`]+)`/g)].flatMap(([, span]) => {
      const [, method = 'POST', call = '', inside = ''] = CALL.exec(span!.replaceAll(/\s+/g, ' ')) ?? []
      const body = bodyOf(method, call)
      if (!body || inside.includes('…')) return []
      calls++
      const { properties = {}, required = [] } = body as { properties?: object; required?: readonly string[] }
      const given = inside.split(',').map((part) => part.trim().split(':')[0]!)
      const names = given.map((name) => name.replace('?', ''))
      const unknown = names.filter((name) => name !== 'project_id' && !(name in properties))
      const needed = given.filter((name) => name.endsWith('?') && required.includes(name.slice(0, -1)))
      const missing = required.filter((name) => name !== 'project_id' && !names.includes(name))
      const flaws = [...unknown, ...needed, ...missing]
      return flaws.length === 0 ? [] : [`${basename(path)}: ${call}: ${flaws.join(', ')}`]
    }),
  )
  expect([calls > 50, wrong]).toEqual([true, []])
})
