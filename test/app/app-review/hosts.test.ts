import { expect, test } from 'bun:test'
import { hostsIn } from '../../../static/app/app-review/hosts.ts'

test('The hosts of web addresses in code are named once each, in order.', () => {
  const code = `fetch('https://B.example/x'); import '//cdn.a.example:8080/y'; '//no'; "http://localhost:3000"
    // c.example
    <img src="http://b.example/2">`
  expect(hostsIn(code)).toEqual(['b.example', 'cdn.a.example', 'localhost'])
  expect(hostsIn('a // b.c')).toEqual([])
})
