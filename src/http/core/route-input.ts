import { type TObject, Type } from '@sinclair/typebox'
import { obj } from '../../schema.ts'

const ProjectIdText = Type.String({ minLength: 1 })

interface Inputs {
  path: string
  params: TObject
  query: TObject
  body: TObject | null
}

/** Adds the property that names the project to a body or a query. */
export function withProject(named: boolean, schema: TObject | undefined): TObject | undefined {
  if (!named || !schema) return schema
  return Type.Object({ project_id: ProjectIdText, ...schema.properties }, schema)
}

/** The schema of the parameters in a path: texts unless they are declared. */
export function pathParameters(path: string, params: TObject | undefined): TObject {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!)
  return obj({ ...Object.fromEntries(names.map((name) => [name, Type.String()])), ...params?.properties })
}

/** Path parameters, query and body become one object, so no name may stand in two of them. */
export function requireDistinctNames({ path, params, query, body }: Inputs): void {
  const names = [params, query, body].flatMap((schema) => Object.keys(schema?.properties ?? {}))
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) throw new Error(`The route ${path} names ${twice} twice.`)
}
