import { expect, test } from 'bun:test'
import { makeReference } from '../../../src/http/docs/reference.ts'
import { declaredRoutes } from '../../../src/http/routes.ts'
import { chapterOf } from '../../../src/shared/chapters.ts'

test('Each call that an app can make has its chapter in the reference.', () => {
  const { api, platform } = makeReference(declaredRoutes())
  const chapters = new Set(
    [...api.values(), ...platform.values()].flatMap(({ href, calls }) =>
      calls.map(({ anchor }) => `${href}#${anchor}`),
    ),
  )
  const operations = [...api.values()].flatMap(({ calls }) => calls.map(({ name }) => ['POST', `/newsletter/${name}`]))
  const routes = declaredRoutes()
    .filter(({ auth }) => auth === 'oauth' || auth === 'client')
    .map(({ methods, path }) => [methods[0], path.replace('/general/api/v1', '')])
  const calls = [...operations, ...routes] as [string, string][]
  expect(calls.length).toBeGreaterThan(80)
  expect(calls.filter(([method, name]) => !chapters.has(chapterOf(method, name)))).toEqual([])
})
