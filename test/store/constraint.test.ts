import { expect, test } from 'bun:test'
import { AppError } from '../../src/errors.ts'
import { brokenUnique, isBusy, orConflict } from '../../src/store/constraint.ts'

/** As drizzle wraps what the local driver throws. */
const unique = (columns: string) =>
  new Error('Failed query', {
    cause: Object.assign(new Error(`SQLITE_CONSTRAINT: UNIQUE constraint failed: ${columns}`), {
      code: 'SQLITE_CONSTRAINT',
    }),
  })

async function failing(error: unknown): Promise<never> {
  throw error
}

const outcome = async (error: unknown): Promise<unknown> => {
  try {
    return await orConflict(failing(error), { name_key: '/name', slug: '/slug' }, 'Already in use.')
  } catch (thrown) {
    return thrown
  }
}

test('orConflict passes the result of a write that succeeds.', async () => {
  expect(await orConflict(Promise.resolve(7), { name_key: '/name' }, 'Already in use.')).toBe(7)
})

test('orConflict turns a broken constraint over a named column into CONFLICT with its path.', async () => {
  const thrown = (await outcome(unique('lists.project_id, lists.name_key'))) as AppError
  expect(thrown).toBeInstanceOf(AppError)
  expect([thrown.code, thrown.message, thrown.details]).toEqual([
    'CONFLICT',
    'Already in use.',
    [{ path: '/name', message: 'Already in use.' }],
  ])
  expect(((await outcome(unique('pages.project_id, pages.slug'))) as AppError).details).toEqual([
    { path: '/slug', message: 'Already in use.' },
  ])
})

test('orConflict passes on a constraint over other columns, and every other error.', async () => {
  const other = unique('lists.project_id, lists.key')
  expect(await outcome(other)).toBe(other)
  const broken = new Error('disk I/O error')
  expect(await outcome(broken)).toBe(broken)
})

test('The columns of a broken constraint are found below any wrapping.', () => {
  expect(brokenUnique(unique('tags.project_id, tags.name_key'))).toBe('tags.project_id, tags.name_key')
  expect(brokenUnique(new Error('FOREIGN KEY constraint failed'))).toBeNull()
  expect(brokenUnique(null)).toBeNull()
})

test('A lock held by another writer is told apart from other errors.', () => {
  expect(isBusy(new Error('outer', { cause: { code: 'SQLITE_BUSY' } }))).toBe(true)
  for (const word of ['SQLITE_BUSY', 'SQLITE_LOCKED', 'TRANSACTION_TIMEOUT', 'STREAM_EXPIRED', 'database is locked'])
    for (const error of [{ message: `It failed: ${word}.` }, { code: word }, { extendedCode: `${word}_SNAPSHOT` }])
      expect([word, isBusy(error), isBusy({ cause: { cause: { cause: error } } })]).toEqual([word, true, true])
  expect(isBusy(unique('lists.name_key'))).toBe(false)
})
