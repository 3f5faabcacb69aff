import { expect, test } from 'bun:test'
import type { Caller } from '../../../src/access/caller.ts'
import { note } from '../../../src/audit/record.ts'
import { recordChange, storeOf } from '../../../src/http/core/audit.ts'
import type { Exchange } from '../../../src/http/core/exchange.ts'
import { route } from '../../../src/http/core/route.ts'
import { newId } from '../../../src/ids.ts'
import type { Runtime } from '../../../src/runtime.ts'
import { KEYS, NOW, sharedStore, write } from '../../support/shared-store.ts'

const declared = (more: object = {}) =>
  route({
    method: ['GET', 'POST'],
    path: '/things/:id',
    summary: 'Things.',
    auth: 'public',
    audit: { target: { kind: 'thing', input: 'id' } },
    response: 'text',
    respond: () => new Response(),
    ...more,
  } as never)

async function call(method: string, more: object = {}) {
  const store = await sharedStore()
  const request_id = newId('req')
  const request = new Request('http://x/', { method })
  const exchange = { address: '192.0.2.77', now: NOW, request_id, request } as Exchange
  return {
    store,
    call: { runtime: { store, keys: KEYS } as Runtime, route: declared(more), exchange },
    rows: () =>
      store.query('SELECT at, actor, action, target, ip, details FROM audit_log WHERE request_id = ? ORDER BY id', [
        request_id,
      ]),
  }
}

test('Each write without a caller leaves a row by a visitor, unless the request only reads.', async () => {
  const written = async (method: string, more: object = {}, target?: string) => {
    const asked = await call(method, more)
    await storeOf(asked.call).write(async (tx) => {
      if (target !== undefined) note(tx, { target })
    })
    return asked.rows()
  }
  const row = { at: NOW, actor: 'visitor', action: 'POST /things/:id', target: null, ip: '192.0.2.77', details: null }
  expect(await written('POST')).toEqual([row])
  expect(await written('POST', {}, 'thing:5')).toEqual([{ ...row, target: 'thing:5' }])
  for (const method of ['GET', 'HEAD']) {
    expect(await written(method)).toEqual([])
    expect(await written(method, {}, 'thing:5')).toMatchObject([{ action: `${method} /things/:id` }])
  }
  const noted = { audit: { rows: 'noted' } }
  expect([await written('POST', noted), (await written('POST', noted, 'thing:5')).length]).toEqual([[], 1])
  expect(await written('POST', { audit: { ip: 'network' } })).toMatchObject([{ ip: '192.0.2.0/24' }])
  const asked = await call('POST', { auth: 'api' })
  expect(storeOf(asked.call)).toBe(asked.store)
})

test('A change names its subject in the transaction of the route, and elsewhere what it noted.', async () => {
  const caller = { kind: 'session', user_id: 'usr_ada' } as Caller
  const changed = async (
    more: object,
    { is_own = true, notes = 0, project = null as null | { project_id: number; project_public_id: string } } = {},
  ) => {
    const asked = await call('POST', more)
    await write(async (tx) => {
      for (let n = 0; n < notes; n++) note(tx, { target: `noted:${n}` })
      const input = { id: 5, name: 'x' }
      recordChange(tx, asked.call, { caller, project: project as never, input, answer: {}, is_own })
    })
    return (await asked.rows()).map(({ actor, target, details }) => [actor, target, details])
  }
  const own = ['user:usr_ada', 'thing:5', null]
  expect(await changed({})).toEqual([own])
  expect(await changed({}, { notes: 1 })).toEqual([own, ['user:usr_ada', 'noted:0', null]])
  expect(await changed({}, { is_own: false })).toEqual([own])
  expect(await changed({}, { is_own: false, notes: 2 })).toEqual([
    ['user:usr_ada', 'noted:0', null],
    ['user:usr_ada', 'noted:1', null],
  ])
  expect(await changed({ audit: { rows: 'noted' } }, { is_own: false })).toEqual([])
  const changes = { audit: { target: 'user', details: ['name'], changes: true } }
  expect(await changed(changes)).toEqual([['user:usr_ada', 'user:usr_ada', '{"name":"x","fields":["id","name"]}']])
})
