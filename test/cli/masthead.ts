import { spyOn } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { run } from '../../src/cli/run.ts'
import { program, SHORT_LIVED } from '../support/program.ts'

export interface Finished {
  code: number
  stdout: string
  stderr: string
}

/**
 * A scratch folder; the command line runs in it, so that no settings file of the machine is read. Its own one names the
 * data folder, so that commands may make a database there.
 */
export function scratchFolder(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'masthead-cli-'))
  writeFileSync(join(path, 'masthead.toml'), 'data_dir = "./data"\n')
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

/** Starts `masthead ARGS` as a process of its own, with these variables and none of the caller's settings. */
export function start(folder: string, args: readonly string[], env: Record<string, string> = {}) {
  const inherited = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('MASTHEAD_')))
  return Bun.spawn([...program, ...args], {
    cwd: folder,
    env: { ...inherited, ...SHORT_LIVED, MASTHEAD_DISK_RESERVE_MEGABYTES: '0', MASTHEAD_HTTP_THREADS: '1', ...env },
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'pipe',
  })
}

/** Runs `masthead ARGS` to its end; its standard input is `input`, or empty. */
export async function masthead(
  folder: string,
  args: readonly string[],
  { input = '', env = {} }: { input?: string; env?: Record<string, string> } = {},
): Promise<Finished> {
  const child = start(folder, args, env)
  void child.stdin.write(input)
  void child.stdin.end()
  const [stdout, stderr, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  return { code, stdout, stderr }
}

/**
 * As `masthead`, but in this process and without an input. Starting a process takes most of the CPU time of a command,
 * so a test that calls one command many times has `masthead` call it once, and this the other times.
 */
export async function mastheadHere(folder: string, args: readonly string[]): Promise<Finished> {
  const said = { stdout: '', stderr: '' }
  const [cwd, mask] = [process.cwd(), process.umask(0o077)]
  const write = Bun.write
  const out = spyOn(Bun, 'write').mockImplementation(((target: Bun.BunFile, text: string | Uint8Array) => {
    if (target !== Bun.stdout) return write(target, text)
    said.stdout += Buffer.from(text as string).toString()
    return Promise.resolve(text.length)
  }) as typeof Bun.write)
  const err = spyOn(process.stderr, 'write').mockImplementation((text) => {
    said.stderr += String(text)
    return true
  })
  process.chdir(folder)
  try {
    return { code: await run(args), ...said }
  } finally {
    out.mockRestore()
    err.mockRestore()
    process.chdir(cwd)
    process.umask(mask)
  }
}

/** The first line that a running process prints on standard output. */
export async function firstLine(child: ReturnType<typeof start>): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of child.stdout) {
    text += decoder.decode(chunk, { stream: true })
    if (text.includes('\n')) return text.slice(0, text.indexOf('\n'))
  }
  throw new Error(`It ended without a line: ${text}${await new Response(child.stderr).text()}`)
}
