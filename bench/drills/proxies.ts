import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { program } from '../../test/support/program.ts'
import { freePort } from '../../test/support/service-process.ts'

/**
 * The recipes of docs/operations.md for proxies, with the real programs: Debian's caddy and nginx, curl and openssl.
 * Each has to give the name of the service and the address of the visitor on, and Caddy gets certificates for names
 * that the service knows, and for no other. Only ports, paths and who signs the certificates are others than in the
 * manual.
 *
 * `bun bench/drills/proxies.ts`
 */
const manual = readFileSync(join(import.meta.dir, '../../docs/operations.md'), 'utf8')
const folder = mkdtempSync(join(tmpdir(), 'masthead-proxies-'))
const NAME = 'news.example.org'
/** Linux has all of 127.0.0.0/8, so this is another address than the proxy's. */
const VISITOR = '127.0.0.77'
const port = await freePort()
const log = join(folder, 'service.log')
const children: Bun.Subprocess[] = []

function start(command: string[], env: Record<string, string | undefined> = {}): void {
  const output = Bun.file(join(folder, `${children.length}.log`))
  children.push(Bun.spawn(command, { cwd: folder, env: { ...process.env, ...env }, stdout: output, stderr: output }))
}

/** The block of the manual in this language, for the ports of this run. */
function recipe(language: string): string {
  const [, text] = new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\``, 'm').exec(manual) ?? []
  if (text === undefined) throw new Error(`The manual has no recipe for ${language}.`)
  return text.replaceAll('127.0.0.1:8787', `127.0.0.1:${port}`)
}

/** Asks for a path as a visitor with wrong credentials does: the status, or 0 when there is no connection. */
function visit(https: number, path: string, name = NAME): number {
  const to = ['--connect-to', `${name}:443:127.0.0.1:${https}`, '--interface', VISITOR]
  const { stdout } = Bun.spawnSync([
    'curl',
    '-sk',
    '-o',
    '/dev/null',
    '-w',
    '%{http_code}',
    '-H',
    'Authorization: x',
    ...to,
    `https://${name}${path}`,
  ])
  return Number(stdout.toString())
}

async function until(what: string, holds: () => boolean): Promise<void> {
  for (let tries = 0; !holds(); tries++) {
    if (tries > 300) throw new Error(`This does not come: ${what}`)
    await Bun.sleep(100)
  }
}

function expectTo(what: string, holds: boolean): void {
  console.log(`${holds ? 'ok    ' : 'NOT OK'} ${what}`)
  if (!holds) process.exitCode = 1
}

/** Whether the log tells of a refused request from this visitor, since `from`. */
function refusedVisitor(from: number): boolean {
  const lines = readFileSync(log, 'utf8').slice(from).split('\n')
  return lines.some((line) => line.includes('"refused"') && line.includes(VISITOR))
}

async function tryProxy(name: string, https: number): Promise<void> {
  await until(`${name} answers`, () => visit(https, '/readyz') === 200)
  expectTo(`${name}: the service answers under its name`, visit(https, '/portal/login') === 200)
  const from = readFileSync(log, 'utf8').length
  visit(https, '/general/api/v1/newsletter/schema/get')
  await Bun.sleep(500)
  expectTo(`${name}: the service sees the visitor's address`, refusedVisitor(from))
}

try {
  const settings = {
    MASTHEAD_PORT: String(port),
    MASTHEAD_DATA_DIR: join(folder, 'data'),
    MASTHEAD_BASE_URL: `https://${NAME}`,
    MASTHEAD_TRUSTED_PROXIES: '127.0.0.1, ::1',
    MASTHEAD_LOG_FORMAT: 'json',
    MASTHEAD_DISK_RESERVE_MEGABYTES: '0',
  }
  start(['sh', '-c', `exec "$@" 2> ${log}`, 'sh', ...program, 'serve'], settings)
  const ports = [await freePort(), await freePort(), await freePort()] as const

  const own = `admin off\n\thttp_port ${ports[1]}\n\thttps_port ${ports[0]}\n\tskip_install_trust`
  const caddyfile = recipe('caddyfile')
    .replace('{\n', `{\n\t${own}\n`)
    .replace('on_demand\n', 'on_demand\n\t\tissuer internal\n')
  writeFileSync(join(folder, 'Caddyfile'), caddyfile)
  start(['caddy', 'run', '--config', join(folder, 'Caddyfile')], { HOME: folder, XDG_DATA_HOME: folder })
  await tryProxy('Caddy', ports[0])
  expectTo(
    'Caddy: a name that the service does not know gets no certificate',
    visit(ports[0], '/', 'other.example') === 0,
  )

  const pair = ['-keyout', join(folder, 'privkey.pem'), '-out', join(folder, 'fullchain.pem')]
  Bun.spawnSync(['openssl', 'req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', `/CN=${NAME}`, ...pair])
  const server = recipe('nginx')
    .replace('listen 443 ssl', `listen ${ports[2]} ssl`)
    .replace('listen [::]:443 ssl;', '')
    .replaceAll(`/etc/letsencrypt/live/${NAME}`, folder)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${folder}/${kind};`,
  )
  writeFileSync(
    join(folder, 'nginx.conf'),
    `daemon off; pid ${folder}/nginx.pid; error_log ${folder}/nginx.log; events {}
     http { access_log off; ${temporary.join(' ')} ${server} }`,
  )
  start(['nginx', '-p', folder, '-c', join(folder, 'nginx.conf')])
  await tryProxy('nginx', ports[2])
} finally {
  for (const child of children) child.kill()
  await Promise.all(children.map((child) => child.exited))
  rmSync(folder, { recursive: true, force: true })
}
