/* oxlint-disable import/default -- the files are imported as text */
import authlib from '../../../docs/examples/authlib_app.py' with { type: 'text' }
import openidClient from '../../../docs/examples/openid-client.mjs' with { type: 'text' }
import withClient from '../../../docs/examples/quick-start-client.mjs' with { type: 'text' }
import withFetch from '../../../docs/examples/quick-start.mjs' with { type: 'text' }
import withPython from '../../../docs/examples/quick-start.py' with { type: 'text' }
import withCurl from '../../../docs/examples/quick-start.sh' with { type: 'text' }
import simpleOauth2 from '../../../docs/examples/simple-oauth2.mjs' with { type: 'text' }
import type { Language } from './code-markup.ts'

/** The files of docs/examples, which tests run as they are printed. */

/** The same three calls in each language. */
export const QUICK_START: Readonly<Record<Language, string>> = {
  curl: withCurl,
  fetch: withFetch,
  python: withPython,
  typescript: withClient,
}

/** Whole programs by the names of their files. Guides show one where a paragraph is a link to it. */
export const PROGRAMS: Readonly<Record<string, string>> = {
  'openid-client.mjs': openidClient,
  'simple-oauth2.mjs': simpleOauth2,
  'authlib_app.py': authlib,
}
