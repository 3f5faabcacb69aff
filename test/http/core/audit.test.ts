import { expect, test } from 'bun:test'
import { note } from '../../../src/audit/record.ts'
import { storeOf } from '../../../src/http/core/audit.ts'
import type { Exchange } from '../../../src/http/core/exchange.ts'
import { route } from '../../../src/http/core/route.ts'
import { newId } from '../../../src/ids.ts'
import type { Runtime } from '../../../src/runtime.ts'
import { KEYS, NOW, sharedStore } from '../../support/shared-store.ts'

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
