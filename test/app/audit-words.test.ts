import { expect, test } from 'bun:test'
import { declaredRoutes } from '../../src/http/routes.ts'
import { operations } from '../../src/newsletter/operations.ts'
import { actionWords } from '../../static/app/site/project/audit-words.ts'

/** Public routes that change a project. */
const PUBLIC = /^\/general\/(newsletter|project|api)\//

test('Whatever changes a project is told in words.', () => {
  const routes = declaredRoutes()
    .filter(({ role, path, act }) => act.kind !== 'read' && act.kind !== 'run' && (role !== null || PUBLIC.test(path)))
    .flatMap(({ methods, path }) => methods.map((method) => `${method} ${path}`))
    .filter((action) => !/^(GET|OPTIONS|ALL) /.test(action))
  const mutations = operations.filter(({ act }) => act.kind === 'mutation').map(({ path }) => path.slice(1))
  const actions = [...routes, ...mutations]
  expect(actions.length).toBeGreaterThan(100)
  expect(actions.filter((action) => actionWords(action) === action)).toEqual([])
})
