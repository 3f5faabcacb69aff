import { expect, test } from 'bun:test'
import { serverAddress } from '../../src/store/server-address.ts'

test('The address of a libSQL server names protocol, host, path and token in each of its forms.', () => {
  const bases = [
    'libsql://db.example',
    'libsql://db.example:8080?tls=0',
    'https://db.example/dev/',
    'http://user:password@db.example',
    'ws://db.example',
    'wss://db.example',
  ].map((url) => serverAddress(url).base)
  expect(bases).toEqual([
    'https://db.example/',
    'http://db.example:8080/',
    'https://db.example/dev/',
    'http://db.example/',
    'http://db.example/',
    'https://db.example/',
  ])
  const tokens = [
    serverAddress('libsql://db.example', ''),
    serverAddress('libsql://db.example', 'given'),
    serverAddress('libsql://db.example?authToken=in-url', 'given'),
  ].map(({ token }) => token)
  expect(tokens).toEqual([null, 'given', 'in-url'])
  for (const query of ['?tls=2', '?syncUrl=x'])
    expect(() => serverAddress(`libsql://db.example${query}`)).toThrow(/parameter (tls|syncUrl)/)
})
