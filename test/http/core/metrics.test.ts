import { afterEach, beforeEach, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { version } from '../../../package.json'
import type { Exchange } from '../../../src/http/core/exchange.ts'
import { requireMetricsReader } from '../../../src/http/core/metrics.ts'
import type { Runtime } from '../../../src/runtime.ts'
import { createWorld, type World } from '../../support/world.ts'

let world: World
beforeEach(async () => {
  world = await createWorld({ metrics_token: 'a-token-for-the-scraper' })
})
afterEach(() => world.close())

test('The metrics count requests by route and show the outbox in the format of Prometheus.', async () => {
  await world.fetch('/healthz')
  await world.fetch('/healthz')
  const answer = await world.fetch('/metrics')
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8'])
  const text = await answer.text()
  expect(text).toContain('# TYPE masthead_http_requests_total counter\n')
  expect(text).toContain('masthead_http_requests_total{route="/healthz",status="200"} 2\n')
  expect(text).toContain('masthead_outbox_messages{state="queued"} 0\n')
  for (const line of text.trimEnd().split('\n'))
    expect(line).toMatch(/^(# (HELP|TYPE) \w+ .+|\w+(\{[^}]*\})? [\d.e+-]+)$/)
})

test('The metrics count waiting messages of every kind and jobs by their state, and name the release.', async () => {
  const { store } = world.service.runtime
  const delivery = (kind: string, status: string) =>
    `(${world.project.id}, '${kind}', 'ada@example.com', '${status}', ${Number.MAX_SAFE_INTEGER}, 0)`
  const job = (status: string) => `(${world.project.id}, 'none', '${status}', '{}', ${Number.MAX_SAFE_INTEGER}, 0, 0)`
  const kinds = ['campaign', 'campaign', 'confirmation', 'test', 'link']
  await store.write((tx) =>
    tx.script(`
      INSERT INTO deliveries (project_id, kind, email, status, next_attempt_at, created_at) VALUES
        ${kinds.map((kind) => delivery(kind, 'queued')).join(', ')},
        ${['leased', 'leased', 'sending', 'sent', 'failed'].map((status) => delivery('test', status)).join(', ')};
      INSERT INTO jobs (project_id, kind, status, payload, next_attempt_at, created_at, updated_at) VALUES
        ${['queued', 'queued', 'running', 'completed', 'failed'].map(job).join(', ')}`),
  )
  await world.fetch('/healthz')
  const text = await (await world.fetch('/metrics')).text()
  const shown = (name: string) => text.split('\n').filter((row) => row.startsWith(`${name}{`))
  expect(
    shown('masthead_outbox_messages')
      .map((row) => row.slice(24))
      .toSorted(),
  ).toEqual(['{state="leased"} 2', '{state="queued"} 5', '{state="sending"} 1'])
  expect(shown('masthead_jobs')).toEqual(['masthead_jobs{state="queued"} 2', 'masthead_jobs{state="running"} 1'])
  expect(shown('masthead_build_info')).toEqual([`masthead_build_info{version="${version}",build="checkout",date=""} 1`])
  for (const name of ['process_resident_memory_bytes', 'process_uptime_seconds'])
    expect(text).toMatch(new RegExp(`^# TYPE ${name} gauge\n${name} \\d+$`, 'm'))
  const buckets = [...text.matchAll(/request_seconds_bucket\{route="\/healthz",le="([^"]+)"/g)].map(([, le]) => le)
  expect(buckets).toEqual([
    '0.001',
    '0.0025',
    '0.005',
    '0.01',
    '0.025',
    '0.05',
    '0.1',
    '0.25',
    '0.5',
    '1',
    '2.5',
    '10',
    '+Inf',
  ])
  await store.write((tx) => tx.script('DELETE FROM deliveries; DELETE FROM jobs'))
})

test('Each metric that an alert rule or the dashboard names is measured.', async () => {
  const text = await (await world.fetch('/metrics')).text()
  const measured = new Set([...text.matchAll(/^# TYPE (\w+) /gm)].map(([, name]) => name))
  for (const file of ['alerts.yml', 'dashboard.json']) {
    const named = readFileSync(join(import.meta.dir, '../../../docs/monitoring', file), 'utf8')
    const names = [...named.matchAll(/\b(?:masthead|process)_\w+/g)].map(([name]) => name.replace(/_bucket$/, ''))
    expect(names.length).toBeGreaterThan(15)
    expect(names.filter((name) => !measured.has(name))).toEqual([])
  }
})

test('The metrics tell what the loops counted, since when messages are due, and the sizes of the files.', async () => {
  const { store } = world.service.runtime
  const values = async () => {
    const text = await (await world.fetch('/metrics')).text()
    return (name: string) =>
      Number(
        text
          .split('\n')
          .find((line) => line.startsWith(`${name} `))
          ?.slice(name.length),
      )
  }
  const runs = 'masthead_loop_runs_total{loop="mail",result="done"}'
  await world.service.drain('mail')
  const before = (await values())(runs)
  await world.service.drain('mail')
  await store.write((tx) =>
    tx.script(`INSERT INTO deliveries (project_id, kind, email, status, next_attempt_at, created_at)
      VALUES (${world.project.id}, 'test', 'ada@example.com', 'queued', 0, ${world.clock.now() - 90_000})`),
  )
  const value = await values()
  expect([value(runs) - before, value('masthead_outbox_oldest_due_seconds')]).toEqual([1, 90])
  for (const name of ['masthead_database_bytes', 'masthead_disk_free_bytes', 'process_open_fds'])
    expect([name, value(name) > 0]).toEqual([name, true])
  await store.write((tx) => tx.script('DELETE FROM deliveries'))
})

test('A request that a proxy forwards needs the token.', async () => {
  const forwarded = { 'X-Forwarded-For': '203.0.113.9' }
  expect((await world.fetch('/metrics', { headers: forwarded })).status).toBe(403)
  expect((await world.fetch('/metrics', { headers: { ...forwarded, Authorization: 'Bearer wrong' } })).status).toBe(403)
  expect(
    (await world.fetch('/metrics', { headers: { ...forwarded, Authorization: 'Bearer a-token-for-the-scraper' } }))
      .status,
  ).toBe(200)
})

test('A request for another name than this machine needs the token, whatever headers the proxy adds.', async () => {
  const status = async (headers: Record<string, string>) => (await world.fetch('/metrics', { headers })).status
  expect(await status({ Host: 'localhost:8787' })).toBe(200)
  expect(await status({ Host: 'news.example' })).toBe(421)
  for (const header of ['Forwarded', 'X-Real-IP', 'Via'])
    expect([header, await status({ [header]: 'x' })]).toEqual([header, 403])
  const own = await createWorld({ base_url: 'https://news.example' })
  expect((await own.fetch('/metrics', { headers: { Host: 'news.example' } })).status).toBe(403)
  expect((await own.fetch('/metrics')).status).toBe(200)
  await own.close()
})

test.each([
  ['127.0.0.1', 'http://localhost:8080/metrics', {}, true],
  ['::1', 'http://[::1]:8080/metrics', {}, true],
  ['127.1.2.3', 'http://127.0.0.1/metrics', {}, true],
  // Another machine may send the name of this one.
  ['192.0.2.1', 'http://localhost/metrics', {}, false],
  ['::2', 'http://[::1]/metrics', {}, false],
  ['127.0.0.1', 'http://127.0.0.1.example.com/metrics', {}, false],
  ['127.0.0.1', 'http://news.example/metrics', {}, false],
  ['127.0.0.1', 'http://localhost/metrics', { 'X-Forwarded-Proto': 'https' }, false],
  ['127.0.0.1', 'http://localhost/metrics', { 'X-Forwarded-Host': 'news.example' }, false],
  ['192.0.2.1', 'http://news.example/metrics', { Authorization: 'bearer  a-token' }, true],
  ['192.0.2.1', 'http://news.example/metrics', { Authorization: 'Bearer a-token more' }, false],
  ['192.0.2.1', 'http://news.example/metrics', { Authorization: 'Basic a-token' }, false],
])('Metrics are for this machine or the token: %s at %s with %j: %p.', (address, target, headers, allowed) => {
  const exchange = { address, url: new URL(target), request: new Request(target, { headers }) } as unknown as Exchange
  const ask = (metrics_token: string) => {
    const runtime = { config: { metrics_token } } as Runtime
    return () => requireMetricsReader(runtime, exchange)
  }
  if (allowed) expect(ask('a-token')).not.toThrow()
  else expect(ask('a-token')).toThrow('Metrics are for this machine')
  // Without a token in the settings no token is right.
  if ('Authorization' in headers) expect(ask('')).toThrow('Metrics are for this machine')
})
