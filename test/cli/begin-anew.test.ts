import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, spyOn, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { configOf } from '../../src/config.ts'
import { keysOf } from '../../src/instance.ts'
import { seal, SEALED } from '../../src/store/sealed.ts'
import { dataFolder } from '../support/command-line.ts'
import { scratchFolder } from '../support/folder.ts'

const folder = scratchFolder()

test('With a lost key people take their contacts along, and begin anew with what needs no key.', async () => {
  const data = await dataFolder(join(folder, 'data'))
  const config = configOf({ data_dir: data.path })
  const keys = keysOf(config)
  const { project_id, owner_id } = data
  await data.withStore((store) =>
    store.write(async (tx) => {
      const password = seal(keys, SEALED.relay_password, 'secret', { project_id })
      const dkim = seal(keys, SEALED.dkim_key, 'key', { project_id, domain: 'harbour.example', selector: 's1' })
      const totp = seal(keys, SEALED.totp_secret, 'code', { user_id: owner_id })
      await tx.run(sql`
        INSERT INTO connections (project_id, name, name_key, provider, host, password_sealed, verified_at, created_at,
          updated_at)
        VALUES (${project_id}, 'Relay', 'relay', 'smtp', 'mx.example', ${password}, 1, 0, 0),
          (${project_id}, 'Open', 'open', 'smtp', 'open.example', NULL, 1, 0, 0)`)
      await tx.run(sql`
        INSERT INTO dkim_keys (project_id, domain, selector, algorithm, private_key_sealed, public_key, created_at)
        VALUES (${project_id}, 'harbour.example', 's1', 'rsa-sha256', ${dkim}, 'p', 0)`)
      await tx.run(sql`
        INSERT INTO totp_factors (user_id, secret_sealed, last_step, created_at) VALUES (${owner_id}, ${totp}, 0, 0)`)
      await tx.run(sql`
        INSERT INTO contacts (project_id, email, email_key, search_key, global_status, created_at, updated_at)
        VALUES (${project_id}, 'ada@example.com', 'ada@example.com', 'ada', 'subscribed', 0, 0)`)
      await tx.run(sql`
        INSERT INTO suppressions (project_id, email, email_key, reason, created_at)
        VALUES (${project_id}, 'max@example.com', 'max@example.com', 'manual', 0)`)
    }),
  )
  await expect(data.run('secrets', 'begin-anew', '--force')).rejects.toThrow('is the key of this database')
  // A row that the lost key has signed.
  await data.run('user', 'create', '--email', 'eve@example.com', '--password', '12345678')
  rmSync(join(data.path, 'secret.key'))

  const told = spyOn(process.stderr, 'write').mockImplementation(() => true)
  await data.run('contacts', 'export', 'harbour', join(folder, 'people.csv'))
  await data.run('suppressions', 'export', 'harbour', join(folder, 'left.csv'))
  told.mockRestore()
  expect(readFileSync(join(folder, 'people.csv'), 'utf8')).toContain('ada@example.com')
  expect(readFileSync(join(folder, 'left.csv'), 'utf8')).toContain('max@example.com')
  await expect(data.run('user', 'list')).rejects.toThrow('run masthead secrets begin-anew')
  await expect(data.run('secrets', 'begin-anew')).rejects.toThrow('Use --force to begin anew.')

  const { data: answer, text } = await data.run('secrets', 'begin-anew', '--force')
  expect(answer).toEqual({
    newest: keysOf(config).newest_id,
    dropped: {
      relay_passwords: ['harbour: Relay (mx.example)'],
      webhook_secrets: [],
      webhook_addresses: [],
      dkim_keys: ['s1._domainkey.harbour.example'],
      second_factors: ['owner@example.com'],
      account_messages: 0,
    },
  })
  expect(text).toContain('Enter the password again, and test: harbour: Relay (mx.example).')
  const rows = await data.withStore((store) => store.query('SELECT name, verified_at FROM connections ORDER BY id'))
  expect(rows.map((row) => row.verified_at)).toEqual([null, 1])
  expect((await data.run('user', 'list')).text).toContain('owner@example.com')
  const { data: log } = await data.run('audit', 'list')
  expect(JSON.stringify(log)).toContain('"action":"secrets begin-anew"')
  const checks = (await data.run('doctor', '--port', '0')).data as { checks: { name: string; ok: boolean }[] }
  expect(checks.checks.filter(({ name }) => name === 'audit_log' || name === 'secret_key')).toMatchObject([
    { ok: true },
    { ok: true },
  ])
})
