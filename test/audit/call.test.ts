import { expect, test } from 'bun:test'
import { auditRule, recordCall, subjectOf } from '../../src/audit/call.ts'
import { note } from '../../src/audit/record.ts'
import { newId } from '../../src/ids.ts'
import { KEYS, NOW, sharedStore, write } from '../support/shared-store.ts'

type Declared = Parameters<typeof auditRule>[0]
const subject = (declared: Declared, input: unknown, answer: unknown = null, project: string | null = 'prj_1') =>
  subjectOf({ rule: auditRule(declared), input, answer, project, user_id: 'usr_1' })

test('The target is the first declared one whose id is given, and else the project or the user.', () => {
  const target = [{ answer: 'script' }, { kind: 'app', input: 'id' }] as const
  expect(subject({ target }, { id: 'app_1' }, { script: { id: 9 } }).target).toBe('script:9')
  expect(subject({ target }, { id: 'app_1' }, { script: null }).target).toBe('app:app_1')
  for (const [input, answer] of [
    [{ id: null }, { script: { id: null } }],
    [[1], [{ id: 1 }]],
    [null, { other: { id: 1 } }],
  ])
    expect(subject({ target }, input, answer).target).toBe('project:prj_1')
  expect(subject({ target }, {}, {}, null).target).toBe('user:usr_1')
  expect(subject({ target: 'project' }, { id: 5 }).target).toBe('project:prj_1')
  expect(subject({ target: 'user' }, { id: 5 }).target).toBe('user:usr_1')
})

test('Details have the other ids by their declared names, the declared values, and the names of what changes.', () => {
  const declared = {
    target: { kind: 'script', input: 'scriptId' },
    ids: { app_id: 'id', list_id: 'list_id' },
    details: ['role', 'name'],
    changes: true,
  } as const
  const input = { id: 'app_1', scriptId: 7, list_id: [1], role: 'editor', email: 'ada@example.com', name: undefined }
  const fields = ['role', 'email', 'name']
  expect(subject(declared, input).details).toEqual({ app_id: 'app_1', role: 'editor', fields })
  expect(subject({ ...declared, changes: false }, input).details).toEqual({ app_id: 'app_1', role: 'editor' })
  expect(subject(declared, { scriptId: 7 }).details).toEqual({})
})

test('A call has its row in its own transaction, and in another one only when nothing is noted.', async () => {
  const store = await sharedStore()
  const targets = async (declared: Declared, is_own: boolean, notes: number) => {
    const request_id = newId('req')
    await write(async (tx) => {
      for (let n = 0; n < notes; n++) note(tx, { target: `noted:${n}` })
      const origin = { keys: KEYS, at: NOW, actor: 'user:usr_1', action: 'x', ip: null, request_id }
      const rule = auditRule(declared)
      const call = { rule, input: {}, answer: {}, project: null, user_id: 'usr_1', before: null }
      await recordCall(tx, origin, { ...call, is_own })
    })
    const rows = await store.query('SELECT target FROM audit_log WHERE request_id = ? ORDER BY id', [request_id])
    return rows.map(({ target }) => target)
  }
  expect(await targets({}, true, 0)).toEqual(['user:usr_1'])
  expect(await targets({}, true, 1)).toEqual(['user:usr_1', 'noted:0'])
  expect(await targets({}, false, 0)).toEqual(['user:usr_1'])
  expect(await targets({}, false, 2)).toEqual(['noted:0', 'noted:1'])
  expect(await targets({ rows: 'noted' }, false, 0)).toEqual([])
})
