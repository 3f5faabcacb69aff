import { join } from 'node:path'
import { appFilePath, appManifest } from '../../../app-files.ts'
import { notFound } from '../../../errors.ts'
import { root } from '../../../root.ts'
import { html } from '../../core/markup.ts'
import { PORTAL_PATH } from '../../core/paths.ts'
import { type Route, route } from '../../core/route.ts'
import { APP_POLICY } from './app-document.ts'
import { PAGE, page } from './portal.ts'

const PATH = `${PORTAL_PATH}/kitchen`
const ENTRY = 'kitchen-entry.js'

/** The page with every component in every state, served only when the service runs from its sources. */
export const kitchenRoutes: Route[] = Bun.isStandaloneExecutable
  ? []
  : [
      route({
        method: 'GET',
        path: PATH,
        summary: 'Every component of the web application in every state; only where the service runs from its sources.',
        auth: 'public',
        ...PAGE,
        respond: () =>
          page(
            200,
            html`<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Kitchen · Masthead</title>
<meta name="viewport" content="width=device-width"><link rel="icon" href="data:,">
<link rel="stylesheet" href="${appFilePath(appManifest().styles.app!)}"></head>
<body><div id="app"></div><script type="module" src="${PATH}/${ENTRY}"></script></body></html>`,
            { 'Content-Security-Policy': APP_POLICY },
          ),
      }),
      route({
        method: 'GET',
        path: `${PATH}/:file`,
        summary: 'A script of the page with every component.',
        auth: 'public',
        response: 'file',
        async respond({ params }) {
          const file = (await kitchenFiles()).get(params.file ?? '')
          if (!file) throw notFound('file')
          return new Response(file, { headers: { 'Content-Type': 'text/javascript', 'Cache-Control': 'no-store' } })
        },
      }),
    ]

let built: Promise<ReadonlyMap<string, Blob>> | undefined

/** The scripts of the page by name, bundled with the first call. */
function kitchenFiles(): Promise<ReadonlyMap<string, Blob>> {
  built ??= bundle()
  return built
}

async function bundle(): Promise<ReadonlyMap<string, Blob>> {
  const { outputs } = await Bun.build({
    entrypoints: [join(root, 'static/app/ui/kitchen-entry.tsx')],
    target: 'browser',
    splitting: true,
    naming: { entry: '[name].[ext]', chunk: '[name]-[hash].[ext]' },
  })
  return new Map(outputs.map((file) => [file.path.split('/').at(-1)!, file]))
}
