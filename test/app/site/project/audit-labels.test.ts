import { expect, test } from 'bun:test'
import { declaredRoutes } from '../../../../src/http/routes.ts'
import { operations } from '../../../../src/newsletter/operations.ts'
import { actionWords, detailWords, SOUGHT } from '../../../../static/app/site/project/audit-labels.ts'

/** Public routes that change a project. */
const PUBLIC = /^\/general\/(newsletter|project|api)\//

test('Each change of a project is told in words.', () => {
  const routes = declaredRoutes()
    .filter(({ role, path, act }) => act.kind !== 'read' && act.kind !== 'run' && (role !== null || PUBLIC.test(path)))
    .flatMap(({ methods, path }) => methods.map((method) => `${method} ${path}`))
    .filter((action) => !/^(GET|OPTIONS|ALL) /.test(action))
  const mutations = operations.filter(({ act }) => act.kind === 'mutation').map(({ path }) => path.slice(1))
  const actions = [...routes, ...mutations]
  expect(actions.length).toBeGreaterThan(100)
  expect(actions.filter((action) => actionWords(action) === action)).toEqual([])
})

test.each([
  ['campaigns/send', 'Sent a campaign'],
  ['campaigns/fail', 'Stopped, after a failure, a campaign'],
  ['imports/completed', 'Finished an import'],
  ['jobs/failed', 'Could not finish a job'],
  ['jobs/cancelled', 'Canceled a job'],
  ['contacts/delete', 'Deleted a contact'],
  ['contacts/bulk', 'Changed many contacts'],
  ['POST /project/cms/posts/update', 'Changed a post'],
  ['POST /project/update', 'Changed the project'],
  ['POST /project/api-keys/revoke', 'Took back an API key'],
  ['PATCH /user/operator/projects/limits', 'Set the limits of the project'],
  ['invitation-accept', 'Accepted an invitation'],
  ['token-theft', 'Lost its access: a code was used twice'],
])('The action %s is called by what was done: %s.', (action, words) => {
  expect(actionWords(action)).toBe(words)
})

test.each(['campaigns/paint', 'moons/create', 'POST /project/moons/create', ''])(
  'An action that has no words, such as “%s”, keeps its own name.',
  (action) => expect(actionWords(action)).toBe(action),
)

test('Every action that a filter offers has words of its own.', () => {
  const words = SOUGHT.map(actionWords)
  expect(words.filter((word) => (SOUGHT as readonly string[]).includes(word))).toEqual([])
  expect(new Set(words).size).toBe(words.length)
})

test('Details are told by name, lists in a row and anything deeper as it is written.', () => {
  const details = {
    changed_fields: ['name', 'subject'],
    role: 'editor',
    count: 0,
    was: null,
    kept: false,
    at: { a: 1 },
  }
  expect(detailWords(details)).toBe(
    'changed fields: name, subject; role: editor; count: 0; was: none; kept: false; at: {"a":1}',
  )
  expect(detailWords({ last_used_on: 'x' })).toBe('last used on: x')
  expect(detailWords({})).toBe('')
})
