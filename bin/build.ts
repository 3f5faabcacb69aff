/**
 * Compiles the program, its Worker, the migrations, the static files and the native database module into one
 * executable, `dist/masthead`, for this machine or for `--target` (a name of Bun's, such as bun-linux-arm64-musl).
 */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { parseArgs, promisify } from 'node:util'
import { brotliCompress } from 'node:zlib'
import type { BunPlugin } from 'bun'
import type { PackedModule } from '../src/store/native-module.ts'
import { buildApp } from './build-app.ts'
import { bunOf, fetchRuntimes, nativeModuleOf, platformOf } from './runtimes.ts'

const root = join(import.meta.dir, '..')
const { values: options } = parseArgs({
  options: { target: { type: 'string' }, outfile: { type: 'string', default: join(root, 'dist/masthead') } },
})
const platform = options.target === undefined ? null : platformOf(options.target)
if (platform) await fetchRuntimes()
const nativeModule = platform ? nativeModuleOf(platform) : nativeModuleHere()

mkdirSync(dirname(options.outfile), { recursive: true })
const started_ms = performance.now()
const work = mkdtempSync(join(tmpdir(), 'masthead-build-'))
const packed = packNativeModule(nativeModule)
await buildApp()
const apart = await bundleApart({
  mailparser: ['simpleParser'],
  '@simplewebauthn/server': [
    'generateAuthenticationOptions',
    'generateRegistrationOptions',
    'verifyAuthenticationResponse',
    'verifyRegistrationResponse',
  ],
})
const result = await Bun.build({
  entrypoints: [join(root, 'src/main.ts'), join(root, 'src/threads/worker.ts')],
  root: join(root, 'src'),
  target: 'bun',
  format: 'esm',
  splitting: true, // what both entry points use is in the executable once
  bytecode: true, // parsed when it is built, not at each start
  sourcemap: 'linked',
  define: { 'process.env.NODE_ENV': '"production"', MASTHEAD_BUILD: JSON.stringify(buildId()) },
  // Renamed identifiers break Elysia, which reads the source of its handlers.
  minify: { whitespace: true, syntax: true, identifiers: false },
  compile: {
    outfile: options.outfile,
    ...(platform ? { target: platform.target, executablePath: bunOf(platform) } : {}),
    // Readable under their own names below `root` of src/root.ts.
    assets: [join(root, 'migrations'), staticFiles(), await appFiles(), apart.folder, packed.folder],
    autoloadDotenv: false,
    autoloadBunfig: false,
  },
  plugins: [packed.plugin, apart.plugin],
})
rmSync(work, { recursive: true })
// The executable has its source maps inside; the copies beside it are of no use.
for (const output of result.outputs) if (output.kind === 'sourcemap') rmSync(output.path)
console.log(
  `${options.outfile}: ${Math.round(statSync(options.outfile).size / 1e6)} MB in ` +
    `${Math.round(performance.now() - started_ms)} ms`,
)

/**
 * The commit of the checkout and its day. Sources that differ from the commit, or that no commit has, add a hash of
 * their content.
 */
function buildId(): { id: string; date: string } {
  const git = (...words: string[]): string | null => {
    try {
      const { success, stdout } = Bun.spawnSync(['git', '-C', root, ...words], { stderr: 'ignore' })
      return success ? stdout.toString().trim() : null
    } catch {
      return null // There is no git.
    }
  }
  const shipped = ['src', 'static', 'migrations', 'package.json', 'bun.lock']
  const [commit, date] = git('log', '-1', '--format=%h %cs', '--abbrev=8')?.split(' ') ?? []
  if (commit && date && git('status', '--porcelain', '--', ...shipped) === '') return { id: commit, date }
  const sources = new Bun.CryptoHasher('sha256')
  for (const name of shipped.flatMap(filesBelow)) sources.update(name).update(readFileSync(join(root, name)))
  const hash = sources.digest('hex').slice(0, 8)
  return { id: commit ? `${commit}+${hash}` : hash, date: new Date().toISOString().slice(0, 10) }
}

function filesBelow(name: string): string[] {
  if (!statSync(join(root, name)).isDirectory()) return [name]
  return readdirSync(join(root, name), { recursive: true, encoding: 'utf8' })
    .map((below) => join(name, below))
    .filter((path) => statSync(join(root, path)).isFile())
    .sort()
}

/** The folder `static` without the sources of the web application, which is in `build/app`. */
function staticFiles(): string {
  const folder = join(work, 'static')
  const sources = join(root, 'static/app')
  cpSync(join(root, 'static'), folder, { recursive: true, filter: (path) => path !== sources })
  return folder
}

/** The files of the web application. Text is compressed once here, as strongly as it can be, and is served as it is. */
async function appFiles(): Promise<string> {
  const folder = join(work, 'app')
  mkdirSync(folder)
  const compress = promisify(brotliCompress)
  await Promise.all(
    readdirSync(join(root, 'build/app')).map(async (name) => {
      const bytes = readFileSync(join(root, 'build/app', name))
      if (/\.(?:js|css)$/.test(name)) writeFileSync(join(folder, `${name}.br`), await compress(bytes))
      else writeFileSync(join(folder, name), bytes)
    }),
  )
  return folder
}

/**
 * Packages that are large and seldom needed, with what is imported of them. Parsed code would be of little use and take
 * much room, so they are kept as source beside the rest, each in one file that is read with the first import.
 */
async function bundleApart(packages: Record<string, string[]>): Promise<{ folder: string; plugin: BunPlugin }> {
  const folder = join(work, 'packages')
  const fileOf = (name: string) => name.replace('/', '-')
  for (const [name, exported] of Object.entries(packages)) {
    const entry = join(work, `${fileOf(name)}.ts`)
    writeFileSync(entry, `export { ${exported.join(', ')} } from ${JSON.stringify(Bun.resolveSync(name, root))}`)
    await Bun.build({ entrypoints: [entry], outdir: folder, target: 'bun', format: 'esm', minify: true })
  }
  return {
    folder,
    plugin: {
      name: 'packages-apart',
      setup(build) {
        build.onResolve({ filter: new RegExp(`^(${Object.keys(packages).join('|')})$`) }, ({ path }) => ({
          path: `/$bunfs/root/packages/${fileOf(path)}.js`,
          external: true,
        }))
      },
    },
  }
}

/**
 * libsql chooses its native module when it runs, by the machine. A bundler cannot follow that, so the choice
 * is made here, for the machine that is built for. Compressed it is a third as large.
 */
function packNativeModule(path: string): { folder: string; plugin: BunPlugin } {
  const bytes = readFileSync(path)
  const folder = join(work, 'native')
  mkdirSync(folder)
  writeFileSync(join(folder, 'libsql.node.zst'), Bun.zstdCompressSync(bytes, { level: 9 }))
  const packed: PackedModule = {
    archive: '/$bunfs/root/native/libsql.node.zst',
    sha256: new Bun.CryptoHasher('sha256').update(bytes).digest('hex'),
  }
  return {
    folder,
    plugin: {
      name: 'libsql-native',
      setup(build) {
        build.onLoad({ filter: /node_modules[\\/]libsql[\\/]index\.js$/ }, async (file) => {
          const contents = loadLazily(await Bun.file(file.path).text(), packed)
          return { loader: 'js', contents }
        })
      },
    },
  }
}

/**
 * libsql's source, loading its native module from the executable when the first database is opened: only then the data
 * folder, where the module is unpacked, is known.
 */
function loadLazily(source: string, packed: PackedModule): string {
  const unpacking = join(root, 'src/store/native-module.ts')
  const replacements: [RegExp, (match: string, ...groups: string[]) => string][] = [
    [
      /function requireNative\(\) \{[\s\S]*?\n\}\n/,
      () => `function requireNative() {
        try {
          const loaded = { exports: {} }
          process.dlopen(loaded, require(${JSON.stringify(unpacking)}).nativeModulePath(${JSON.stringify(packed)}))
          return loaded.exports
        } catch (error) {
          const hint = 'Programs must be allowed to run in the data folder.'
      throw new Error('The database module cannot be loaded: ' + error.message + '. ' + hint)
        }
      }
      `,
    ],
    [
      /const \{([^}]*)\} = requireNative\(\);/,
      (_, names) =>
        `let ${names.trim().replace(/,$/, '')}; function loadNative() { if (!databaseOpen) ` +
        `({${names}} = requireNative()) }`,
    ],
    [/(class Database \{[\s\S]*?constructor\(path, opts\) \{)/, (start) => `${start} loadNative();`],
  ]
  for (const [pattern, replacement] of replacements) {
    if (!pattern.test(source)) fail(`libsql/index.js no longer contains ${pattern}.`)
    source = source.replace(pattern, replacement)
  }
  return source
}

/** The one that libsql chooses on this machine. */
function nativeModuleHere(): string {
  const require = createRequire(import.meta.url)
  require('libsql')
  return Object.keys(require.cache).find((path) => path.endsWith('.node')) ?? fail('libsql loaded no native module.')
}

function fail(message: string): never {
  console.error(message)
  process.exit(1)
}
