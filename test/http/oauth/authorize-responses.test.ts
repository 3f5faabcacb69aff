import { expect, test } from 'bun:test'
import { AppError } from '../../../src/errors.ts'
import {
  authorizeRefusal,
  formPolicy,
  redirectToApp,
  refuseMethod,
} from '../../../src/http/oauth/authorize-responses.ts'
import { AuthorizationRefusal, OAuthError } from '../../../src/oauth/errors.ts'
import type { Runtime } from '../../../src/runtime.ts'

const BASE = 'https://masthead.example'
const runtime = { base_url: BASE, log: { error: () => undefined } } as unknown as Runtime
const exchange = (accept?: string) => {
  const request = new Request(BASE, accept === undefined ? {} : { headers: { accept } })
  return { request, request_id: 'req_1' } as never
}
const refuse = (error: unknown, accept?: string) => authorizeRefusal(runtime, error, exchange(accept)) as Response

test('An answer goes to the app with its state and the issuer, beside the query of its address.', () => {
  const to = (redirect_uri: string, state: string | null) =>
    redirectToApp({ base_url: BASE }, { redirect_uri, state }, { code: 'a b' }).headers.get('location')
  const iss = 'iss=https%3A%2F%2Fmasthead.example'
  expect(to('https://app.example/cb', 'x&y')).toBe(`https://app.example/cb?code=a+b&state=x%26y&${iss}`)
  expect(to('https://app.example/cb?a=1', null)).toBe(`https://app.example/cb?a=1&code=a+b&${iss}`)
  const answer = refuse(new AuthorizationRefusal({ redirect_uri: 'app.x:/cb', state: '' }, 'access_denied', 'No.'))
  expect([answer.status, answer.headers.get('referrer-policy')]).toEqual([303, 'no-referrer'])
  expect(answer.headers.get('location')).toBe(`app.x:/cb?error=access_denied&error_description=No.&state=&${iss}`)
})

test('An error that cannot go to the app is a page, or JSON for a program that asks for nothing else.', async () => {
  const error = new OAuthError('invalid_client', 'Unknown <app>.', 400)
  for (const accept of [undefined, 'text/html', 'text/html, application/json'])
    expect(await refuse(error, accept).text()).toContain('<p role="alert">Unknown &lt;app&gt;.</p>')
  const json = refuse(error, 'application/json')
  expect([json.status, (await json.json()) as unknown]).toEqual([
    400,
    { error: 'invalid_client', error_description: 'Unknown <app>.' },
  ])
  const denied = refuse(new AppError('FORBIDDEN', 'Only its team.'), 'application/json')
  expect([denied.status, await denied.json()]).toMatchObject([403, { error: 'forbidden' }])
})

test('A page says what a person did wrong, and nothing of what broke inside.', async () => {
  const known = refuse(new AppError('RATE_LIMITED', 'Too often.', { headers: { 'Retry-After': '9' } }))
  expect([known.status, known.headers.get('retry-after')]).toEqual([429, '9'])
  expect(await known.text()).toContain('Too often.')
  for (const error of [new Error('The table is gone.'), new AppError('INTERNAL', 'The table is gone.')]) {
    const broken = refuse(error)
    expect(broken.status).toBe(500)
    expect(await broken.text()).toContain('It was logged as req_1.')
  }
  const method = refuseMethod(runtime, new Error('x'), exchange()) as Response
  expect([method.status, method.headers.get('allow')]).toEqual([405, 'GET, POST'])
})

test('The policy of the consent page names where its form leads in the end.', () => {
  const action = (address: string) => / form-action ([^;]*);/.exec(formPolicy(address)['Content-Security-Policy']!)![1]
  expect(action('https://app.example:8443/cb?a')).toBe("'self' https://app.example:8443")
  expect(action('com.example.app:/cb')).toBe("'self' com.example.app:")
  expect(action('http://[::1]:9/cb')).toBe("'self' http:")
})
