import { expect, test } from 'bun:test'
import { connectionRecord, testRecord } from '../../../../src/http/portal/project/scripts.routes.ts'
import type { TestedApp } from '../../../../src/developer/test-projects.ts'
import type { OwnersConnection } from '../../../../src/scripts/connections.ts'

const APP = { id: 'app_1', display_name: 'Lamp' }

test('A connected script tells its code as visitors get it, and when it was connected and changed.', () => {
  const script = {
    ...{ connection_id: 3, script_id: 7, name: 'Counter', type: 'Analytics', placement: 'HTML Head' },
    ...{ parameters: { a: 1 }, filled: [{ from: 0, to: 1 }], enabled: true, injected: false },
  } as const
  const connection = { ...script, app: APP, html: '<i>1</i>', created_at: 1000, updated_at: 2000 }
  expect(connectionRecord(connection as unknown as OwnersConnection)).toEqual({
    ...(script as object),
    app: { id: 'app_1', displayName: 'Lamp' },
    code: '<i>1</i>',
    connected_on: '1970-01-01T00:00:01.000Z',
    last_update: '1970-01-01T00:00:02.000Z',
  } as never)
})

test('A tested app tells who added it, and when.', () => {
  const added_by = { user_id: 'usr_1', email: 'ann@example.com' }
  expect(testRecord({ app: APP, added_by, added_at: 1000 } as TestedApp)).toEqual({
    app: { id: 'app_1', displayName: 'Lamp' },
    added_by,
    added_on: '1970-01-01T00:00:01.000Z',
  })
})
