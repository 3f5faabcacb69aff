import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { createUser } from '../../src/accounts/users.ts'
import { configOf } from '../../src/config.ts'
import { createProject } from '../../src/projects/projects.ts'
import { type Service, startService } from '../../src/service.ts'
import { hasBrowser, openBrowser } from '../sites/browser.ts'

/** Pages while the service stops and comes back. */

const ACCOUNT = {
  email: 'olive@harbour.example',
  password: 'long enough for anybody',
  first_name: 'Olive',
  last_name: '',
}
const folder = mkdtempSync(join(tmpdir(), 'masthead-restart-'))
let browser: Browser
let service: Service

const start = (port: number) => startService(configOf({ port, data_dir: folder, log_level: 'error', sandbox: true }))

beforeAll(async () => {
  browser = await openBrowser()
  service = await start(0)
})
afterAll(async () => {
  await browser.close()
  await service.close()
  rmSync(folder, { recursive: true })
})

test.if(hasBrowser)('A page says that the service does not answer, and goes on by itself.', async () => {
  const { store } = service.runtime
  const user = await createUser(store, ACCOUNT, Date.now())
  await store.write((tx) => createProject(tx, { name: 'Harbour News', slug: 'harbour' }, user.id, Date.now()))
  const url = service.runtime.base_url
  const port = Number(new URL(url).port)
  const page = await browser.newPage()
  await page.goto(`${url}/portal/login`)
  await page.getByLabel('Email address').fill(ACCOUNT.email)
  await page.getByLabel('Password').fill(ACCOUNT.password)
  await page.getByRole('button', { name: 'Sign in' }).first().click()
  await page.getByRole('heading', { name: 'Start here' }).waitFor()

  await page.getByLabel('Address', { exact: true }).fill('news@harbour.example')
  await page.getByLabel('Postal address').fill('Quay 4, 5003 Bergen')
  await service.close()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Masthead does not answer.').waitFor()
  service = await start(port)
  await page.getByRole('button', { name: 'Use the sandbox' }).waitFor()
  await page.getByText('Masthead does not answer.').waitFor({ state: 'detached' })
  expect(await page.getByText('1 of 5 done.').isVisible()).toBe(true)
})
