import { expect, test } from 'bun:test'
import { isMachine } from '../../../src/newsletter/tracking/machines.ts'
import { GATEWAYS, MACHINES, PEOPLE } from './tracking-corpus.ts'

const HOME = '93.184.216.34'
const machine = (
  user_agent: string,
  {
    method = 'GET',
    address = HOME,
    headers = {},
  }: { method?: string; address?: string; headers?: Record<string, string> } = {},
) => isMachine({ method, user_agent, address, headers: new Headers(headers) })

test('Of the labelled programs at least 95 % are caught, and fewer than 1 % of the people are taken for one.', () => {
  const missed = MACHINES.filter((user_agent) => !machine(user_agent))
  const taken = PEOPLE.filter((user_agent) => machine(user_agent))
  expect(MACHINES.length).toBeGreaterThan(50)
  expect(PEOPLE.length).toBeGreaterThan(70)
  expect(missed.length / MACHINES.length).toBeLessThanOrEqual(0.05)
  expect(taken.length / PEOPLE.length).toBeLessThan(0.01)
  expect(taken).toEqual([])
  expect(missed).toEqual([])
})

const [browser] = PEOPLE as [string]

test('White space around the name of a program changes nothing.', () => {
  for (const agent of ['Mozilla/5.0', 'curl/8.5.0', '']) {
    expect([agent, machine(`  ${agent} `)]).toEqual([agent, machine(agent)])
    expect([agent, machine(agent)]).toEqual([agent, true])
  }
})

test('A client that asks for the header alone is a machine.', () => {
  expect(machine(browser)).toBe(false)
  expect(machine(browser, { method: 'HEAD' })).toBe(true)
})

test.each([
  [{ 'Sec-Purpose': 'prefetch;prerender' }, true],
  [{ Purpose: 'prefetch' }, true],
  [{ 'X-Purpose': 'preview' }, true],
  [{ 'X-Moz': 'prefetch' }, true],
  [{ 'Sec-Fetch-Mode': 'navigate' }, false],
])('A browser that fetches ahead says so: %j.', (headers, expected) => {
  expect(machine(browser, { headers })).toBe(expected)
})

test.each([
  ['64.235.150.9', true],
  ['209.222.82.1', true],
  ['205.139.111.12', true],
  ['67.231.152.3', true],
  ['40.107.218.12', true],
  ['104.47.1.1', true],
  ['67.219.250.1', true],
  ['150.70.1.2', true],
  ['2a01:111:f400:7e1a::201', true],
  ['::ffff:40.107.218.12', true],
  ['40.106.1.1', false],
  ['64.236.0.1', false],
  ['2a01:112::1', false],
  ['', false],
  ['not an address', false],
])('A browser at %s is a gateway of mail: %p.', (address, expected) => {
  expect(machine(browser, { address })).toBe(expected)
})

const numberOf = (address: string) => address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)
const addressOf = (number: number) => [24, 16, 8, 0].map((bits) => (number >>> bits) & 255).join('.')

test.each(GATEWAYS)('The network %s is one of mail gateways to its ends, and its neighbors are not.', (network) => {
  const [first, last] = network.split('-').map(numberOf) as [number, number]
  const isGateway = (number: number) => machine(browser, { address: addressOf(number) })
  expect([first - 1, first, last, last + 1].map(isGateway)).toEqual([false, true, true, false])
})

test('The networks of Microsoft in IPv6 are those of mail gateways to their ends.', () => {
  for (const [address, isGateway] of [
    ['2a01:111:f3ff:ffff::1', false],
    ['2a01:111:f400::', true],
    ['2a01:111:f400:ffff:ffff:ffff:ffff:ffff', true],
    ['2a01:111:f401::', false],
    ['2a01:111:f402:ffff::1', false],
    ['2a01:111:f403::', true],
    ['2a01:111:f403:ffff:ffff:ffff:ffff:ffff', true],
    ['2a01:111:f404::', false],
  ] as const)
    expect([address, machine(browser, { address })]).toEqual([address, isGateway])
})
