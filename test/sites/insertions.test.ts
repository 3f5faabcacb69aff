import { expect, test } from 'bun:test'
import type { ConnectedScript } from '../../src/scripts/connections.ts'
import { insertionsFor, kindsOf } from '../../src/sites/insertions.ts'

const script = (html: string, more: Partial<ConnectedScript> = {}): ConnectedScript => ({
  ...{ connection_id: 1, script_id: 1, app_id: 'app', name: '', type: 'Analytics', placement: 'HTML Head' },
  ...{ html, gated: false, ...more },
})
const noFault = () => {
  throw new Error('A script failed.')
}

test('The kinds that are asked for are those of scripts that wait.', () => {
  const scripts = [
    script('a', { type: 'Essential' }),
    script('b', { type: 'Advertising', gated: true }),
    script('c', { type: 'Advertising', gated: true }),
    script('d'),
  ]
  expect(kindsOf(scripts)).toEqual(new Set(['advertising']))
  expect(kindsOf([])).toEqual(new Set())
})

test('Scripts stand at their places in the order of their connections, and those that wait do not run.', () => {
  const scripts = [
    script('<b>1</b>'),
    script('<b>2</b>', { placement: 'HTML Body end' }),
    script('<script>run()</script>', { gated: true }),
    script('<b>3</b>', { placement: 'HTML Body start' }),
    script('<b>4</b>'),
  ]
  const { head, body_start, body_end } = insertionsFor(scripts, noFault)
  expect([body_start, body_end]).toEqual(['<b>3</b>', '<b>2</b>'])
  expect(head).toStartWith('<b>1</b><')
  expect(head).toEndWith('<b>4</b>')
  expect(head).not.toContain('<script>run()')
})

test('A script that fails is told and left out, and the others stay.', () => {
  const failing = { ...script(''), gated: true, html: null as unknown as string }
  const told: ConnectedScript[] = []
  expect(insertionsFor([script('a'), failing, script('b')], (one) => told.push(one)).head).toBe('ab')
  expect(told).toEqual([failing])
})
