import { afterAll, afterEach, expect, spyOn, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { claimDatabase } from '../../src/cli/alone.ts'
import { configOf } from '../../src/config.ts'
import { startLibsqlServer } from '../support/libsql-server.ts'
import { freePort } from '../support/service-process.ts'
import { firstLine, masthead, scratchFolder, start } from './masthead.ts'

const scratch = scratchFolder()
const running = new Set<ReturnType<typeof start>>()
afterEach(() => {
  for (const child of running) child.kill('SIGKILL')
})
afterAll(() => scratch.remove())

const serve = (...args: string[]) => {
  const child = start(scratch.path, ['serve', '--log-format', 'json', ...args])
  running.add(child)
  return child
}

async function end(child: ReturnType<typeof start>, signal: 'SIGTERM' | 'SIGINT') {
  child.kill(signal)
  const code = await child.exited
  running.delete(child)
  return {
    code,
    log: (await new Response(child.stderr).text())
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line)),
  }
}

const SETUP_LINE = /^Create the first account: (http:\/\/127\.0\.0\.1:\d+)\/portal\/setup\?token=(svc_st_[\w-]{43})$/

test('Every start prints a new setup link while no user exists, and one at a time uses a database file.', async () => {
  const first = serve('--port', '0')
  const [line, url, token] = SETUP_LINE.exec(await firstLine(first))!
  expect((await fetch(line!.slice(line!.indexOf('http')))).status).toBe(200)
  const ended = await end(first, 'SIGTERM')
  expect(ended.code).toBe(0)
  expect(ended.log.map(({ message }) => message)).toEqual(['listening', 'answered', 'stopping'])
  expect(ended.log[0]).toMatchObject({ url })
  expect(JSON.stringify(ended.log)).not.toContain('svc_st_')

  const second = serve('--port', '0')
  const [, again, fresh] = SETUP_LINE.exec(await firstLine(second))!
  expect(fresh).not.toBe(token)
  expect((await fetch(`${again}/portal/setup?token=${token}`)).status).toBe(404)
  const { port } = new URL(again!)

  const third = await masthead(scratch.path, ['serve', '--port', port, '--data-dir', 'other'])
  expect(third).toEqual({ code: 1, stdout: '', stderr: `masthead: Port ${port} on 127.0.0.1 is in use.\n` })
  const restoring = await masthead(scratch.path, ['restore', 'other/masthead.db', '--force'])
  expect(restoring).toMatchObject({
    code: 1,
    stderr: `masthead: A service is running on this database (process ${second.pid}). Stop it first.\n`,
  })
  const doctor = await masthead(scratch.path, ['doctor', '--port', port])
  expect(doctor).toMatchObject({ code: 0, stdout: expect.stringContaining('is used by a service on this database') })

  const ready = () => masthead(scratch.path, ['ready', '--port', port])
  expect(await ready()).toEqual({ code: 0, stdout: 'The service is ready.\n', stderr: '' })

  const locks = readdirSync(join(scratch.path, 'data')).filter((name) => name.includes('.lock'))
  expect(locks).toEqual(['masthead.db.lock'])
  // A service that starts while another one uses the database file waits for its end.
  const waiting = serve('--port', '0')
  const log = waiting.stderr.getReader()
  const { value } = await log.read()
  log.releaseLock()
  expect(JSON.parse(new TextDecoder().decode(value))).toMatchObject({ level: 'warn', process: second.pid })
  const sleep = spyOn(Bun, 'sleep').mockImplementation(() => Promise.resolve())
  const config = configOf({ data_dir: join(scratch.path, 'data') })
  const refused = claimDatabase(config, { begins: () => undefined, givenUp: () => false })
  await expect(refused).rejects.toThrow(`A service is running on this database (process ${second.pid}). Stop it first.`)
  sleep.mockRestore()
  expect((await end(second, 'SIGINT')).code).toBe(0)
  expect(await firstLine(waiting)).toMatch(SETUP_LINE)
  waiting.kill('SIGKILL')
  await waiting.exited
  running.delete(waiting)
  const answer = await ready()
  expect(answer).toMatchObject({ code: 1, stderr: expect.stringContaining(`at http://127.0.0.1:${port}/readyz`) })
})

test('A start prints no setup link once a user exists.', async () => {
  await masthead(scratch.path, [
    'user',
    'create',
    '--email',
    'o@harbour.example',
    '--password',
    '12345678',
    '--data-dir',
    'peopled',
  ])
  const child = serve('--port', '0', '--data-dir', 'peopled')
  const log = child.stderr.getReader()
  const { value } = await log.read()
  expect(new TextDecoder().decode(value)).toContain('listening')
  log.releaseLock()
  child.kill('SIGTERM')
  expect(await child.exited).toBe(0)
  running.delete(child)
  expect(await new Response(child.stdout).text()).toBe('')
})

test('A start waits for a database server that is not there yet, and listens once it answers.', async () => {
  const port = await freePort()
  const child = serve('--port', '0', '--data-dir', 'remote', '--database-url', `http://127.0.0.1:${port}`)
  let log = ''
  const waits = (words: string) =>
    (async () => {
      const decoder = new TextDecoder()
      while (!log.includes(words)) {
        const { value, done } = await reader.read()
        if (done) throw new Error(log)
        log += decoder.decode(value, { stream: true })
      }
    })()
  const reader = child.stderr.getReader()
  await waits('waiting for the database server')
  expect(log).not.toContain('listening')
  const server = await startLibsqlServer(port)
  await waits('"listening"')
  child.kill('SIGTERM')
  expect(await child.exited).toBe(0)
  await server.close()

  for (const signal of ['SIGTERM', 'SIGHUP'] as const) {
    const alone = serve('--port', '0', '--data-dir', 'remote', '--database-url', `http://127.0.0.1:${port}`)
    await alone.stderr.getReader().read()
    alone.kill(signal)
    expect(await alone.exited).toBe(0)
  }
})
