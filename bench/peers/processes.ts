import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../../test/support/service-process.ts'
import { type Bench, Skipped } from '../bench.ts'
import type { Timed } from '../measure.ts'
import { answering } from './masthead.ts'

/** Peers that are programs of their own: scripts on Node, nginx and Postfix's tools of measuring. */

/** The script beside this file, where it finds its packages. */
export function nodeScript({ packages }: Bench, name: string): string[] {
  if (!packages || !Bun.which('node')) throw new Skipped(`${name} needs Node and the packages of npm.`)
  const path = join(packages, name)
  copyFileSync(join(import.meta.dir, name), path)
  return ['node', path]
}

export function program(name: string): string {
  const path = Bun.which(name, { PATH: `${process.env.PATH}:/usr/sbin` })
  if (!path) throw new Skipped(`${name} is not installed.`)
  return path
}

/** Runs a program to its end; its input is JSON. */
export async function runTimed(command: string[], requests: number): Promise<Timed> {
  const begun = performance.now()
  const child = Bun.spawn(command, { stdout: 'ignore', stderr: 'inherit' })
  if ((await child.exited) !== 0) throw new Error(`${command.join(' ')} failed.`)
  const usage = child.resourceUsage()!
  return {
    requests,
    seconds: (performance.now() - begun) / 1000,
    cpu_seconds: Number(usage.cpuTime.total) / 1e6,
    megabytes: usage.maxRSS / 1e6,
  }
}

/** As `runTimed`, of a script that prints what it took. */
export async function runScript(command: string[], input: unknown): Promise<Timed> {
  const child = Bun.spawn(command, {
    stdin: new Blob([JSON.stringify(input)]),
    stdout: 'pipe',
    stderr: 'inherit',
  })
  const text = await new Response(child.stdout).text()
  if ((await child.exited) !== 0) throw new Error(`${command.join(' ')} failed.`)
  return JSON.parse(text) as Timed
}

let sink_port = 0

/** An SMTP server that takes everything and keeps nothing; in one run always on the same port. */
export async function startSink(bench: Bench): Promise<number> {
  sink_port ||= await freePort()
  const port = sink_port
  const child = Bun.spawn([program('smtp-sink'), '-u', 'root', '-m', '100', `127.0.0.1:${port}`, '256'], {
    stdout: 'ignore',
    stderr: 'inherit',
  })
  bench.atEnd(async () => {
    child.kill()
    await child.exited
  })
  for (let isOpen = false; !isOpen; await Bun.sleep(5)) {
    const socket = await Bun.connect({ hostname: '127.0.0.1', port, socket: { data: (it) => void it.end() } }).catch(
      () => null,
    )
    isOpen = socket !== null
  }
  return port
}

export interface Nginx {
  pid: number
  url: string
}

/** One worker that serves the page at /0, and at /1 and /3 with so many replacements of `sub_filter`. */
export async function startNginx(bench: Bench, page: string, filters: Record<string, string[]>): Promise<Nginx> {
  const [folder, port] = [bench.folder('nginx'), await freePort()]
  await Bun.write(join(folder, 'page.html'), page)
  const locations = Object.entries(filters).map(
    ([name, rules]) => `location = /${name} { alias ${folder}/page.html; default_type text/html; ${rules.join(' ')} }`,
  )
  // Workers of a master that is root run as another user, who may not read a temporary folder.
  const user = process.getuid?.() === 0 ? 'user root; ' : ''
  const config = `${user}daemon off; pid ${folder}/pid; error_log ${folder}/error.log; worker_processes 2; events {}
    http { access_log off; sendfile on; keepalive_requests 100000000;
      client_body_temp_path ${folder}; proxy_temp_path ${folder}; fastcgi_temp_path ${folder};
      uwsgi_temp_path ${folder}; scgi_temp_path ${folder};
      server { listen 127.0.0.1:${port}; ${locations.join('\n')} } }`
  await Bun.write(join(folder, 'nginx.conf'), config)
  const child = Bun.spawn([program('nginx'), '-c', join(folder, 'nginx.conf'), '-p', folder], {
    stdout: 'ignore',
    stderr: 'ignore',
  })
  bench.atEnd(async () => {
    child.kill('SIGQUIT')
    await child.exited
  })
  await answering(`http://127.0.0.1:${port}/0`, child)
  return { pid: child.pid, url: `http://127.0.0.1:${port}` }
}

export interface Oidc {
  pid: number
  url: string
  access_tokens: string[]
  refresh_tokens: string[]
  headers: Record<string, string>
}

export async function startOidc(bench: Bench, tokens: number): Promise<Oidc> {
  const [port, folder] = [await freePort(), bench.folder('oidc')]
  const child = Bun.spawn(
    [...nodeScript(bench, 'oidc-server.mjs'), String(port), join(folder, 'oidc.db'), String(tokens)],
    { stdout: 'pipe', stderr: 'ignore', env: { ...process.env, NODE_ENV: 'production' } },
  )
  bench.atEnd(async () => {
    child.kill()
    await child.exited
  })
  let line = ''
  for await (const chunk of child.stdout as unknown as AsyncIterable<Uint8Array>) {
    line += Buffer.from(chunk).toString()
    if (line.endsWith('\n')) break
  }
  return {
    pid: child.pid,
    url: `http://127.0.0.1:${port}`,
    ...(JSON.parse(line) as { access_tokens: string[]; refresh_tokens: string[] }),
    headers: {
      'Content-Type': 'application/x-www-form-urlencoded',
      Authorization: `Basic ${btoa('bench:bench-secret-bench-secret')}`,
    },
  }
}
