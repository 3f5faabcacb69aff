import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { program } from '../support/program.ts'

export interface Finished {
  code: number
  stdout: string
  stderr: string
}

/** A scratch folder; the command line runs in it, so that no settings file of the machine is read. */
export function scratchFolder(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'masthead-cli-'))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

/** Starts `masthead ARGS` as a process of its own, with these variables and none of the caller's settings. */
export function start(folder: string, args: readonly string[], env: Record<string, string> = {}) {
  const inherited = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('MASTHEAD_')))
  return Bun.spawn([...program, ...args], {
    cwd: folder,
    env: { ...inherited, ...env },
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
