import { build, release, version as number } from '../build.ts'
import { baseUrlOf } from '../base-url.ts'
import { readConfig } from '../config.ts'
import { command } from './command.ts'

export const version = command({
  name: 'version',
  summary: 'Print the version and the build.',
  settings: false,
  run: async () => ({ text: release, data: { version: number, build: build.id, build_date: build.date } }),
})

export const openapi = command({
  name: 'openapi',
  summary: 'Print the OpenAPI 3.1 document of the newsletter API.',
  async run({ settings }) {
    const base_url = baseUrlOf(readConfig(settings))
    const [{ NEWSLETTER_ROOT }, { newsletterOpenApi }] = await Promise.all([
      import('../http/api/operations.ts'),
      import('../newsletter/openapi.ts'),
    ])
    const document = newsletterOpenApi(base_url + NEWSLETTER_ROOT)
    return { text: JSON.stringify(document, null, 2), data: document }
  },
})
