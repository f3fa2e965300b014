// SPDX-License-Identifier: Apache-2.0
import { Ajv } from 'ajv';
import { AdminBench } from '../../../../test/support/admin-bench.js';
import { ErrorCode } from '../../../common/errors.js';
import { OpenApi } from './openapi.js';
import { allOperations, type RegisteredOperation } from './operation.js';

const LANE = 'agent:main:borgee:channel:ch_general';

interface Content {
  readonly schema: object;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

interface DocumentedOperation {
  readonly summary?: string;
  readonly operationId: string;
  readonly security?: readonly object[];
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: 'path' | 'query';
    readonly schema: { readonly example?: unknown };
  }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> };
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Content>> }>>;
}

interface OpenApiDocument {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
}

/** Handlers of the admin module: other tests may have described some of their own. */
const OPERATIONS = allOperations().map(
  (operation) => [`${operation.controller.name}.${operation.method}`, operation] as const,
);

describe('[OPS-2] the OpenAPI document of the admin interface', () => {
  let admin: AdminBench;
  let document: OpenApiDocument;
  let ajv: Ajv;

  beforeEach(async () => {
    admin = await AdminBench.open();
    await admin.bench.quarantined('stuck', LANE);
    await admin.bench.admit('behind', { lane: LANE });
    document = (await admin.ask<OpenApiDocument>('/api/v1/openapi.json')).body;
    // OpenAPI writes `nullable` and `example` where JSON Schema knows neither.
    ajv = new Ajv({ strict: false, formats: { 'date-time': (text: string) => !Number.isNaN(Date.parse(text)) } });
    ajv.addSchema({ $id: 'document', ...document });
  });

  afterEach(() => admin.close());

  /** The documented operation of a handler, with its address. */
  function documented({ method, controller }: RegisteredOperation): {
    path: string;
    verb: string;
    page: DocumentedOperation;
  } {
    for (const [path, verbs] of Object.entries(document.paths)) {
      for (const [verb, page] of Object.entries(verbs)) {
        if (page.operationId === `${controller.name}.${method}`) return { path, verb, page };
      }
    }
    throw new Error(`${controller.name}.${method} is not in the document`);
  }

  /** What is wrong with a value, or null. */
  function problem(schema: object, value: unknown): string | null {
    const absolute = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/')) as object;
    const validate = ajv.compile(absolute);
    return validate(value) ? null : ajv.errorsText(validate.errors);
  }

  it('describes every page of the module, and nothing else', () => {
    const pages = Object.values(document.paths).flatMap((verbs) => Object.values(verbs));
    expect(document.openapi).toMatch(/^3\./);
    expect(pages.map(({ operationId }) => operationId).sort()).toEqual(OPERATIONS.map(([name]) => name).sort());
  });

  it.each(OPERATIONS)('%s: its example is answered as the document says', async (_name, operation) => {
    const { path, verb, page } = documented(operation);
    expect(page.summary).toMatch(/^[A-Z].*\.$/);
    expect(page.security ?? []).toHaveLength(operation.scope === 'open' ? 0 : 1);
    const named = page.parameters ?? [];
    const url = new URL('http://127.0.0.1');
    url.pathname = path.replace(/\{(\w+)\}/g, (_whole, name: string) => {
      const parameter = named.find((one) => one.in === 'path' && one.name === name);
      return encodeURIComponent(String(parameter?.schema.example));
    });
    for (const [name, value] of Object.entries(operation.example.query ?? {})) {
      expect(named.map((one) => one.name)).toContain(name);
      url.searchParams.set(name, String(value));
    }
    const body = page.requestBody?.content['application/json'];
    const sent = body?.examples?.['works']?.value;
    if (body !== undefined) expect(problem(body.schema, sent)).toBeNull();
    const method = verb === 'get' ? 'GET' : 'POST';
    const answer = await admin.ask<unknown>(url.pathname + url.search, {
      method,
      ...(sent !== undefined && { body: sent as object }),
    });
    expect([200, operation.also?.status]).toContain(answer.status);
    const described = page.responses[String(answer.status)]?.content ?? {};
    const [type = '', { schema } = { schema: {} }] = Object.entries(described)[0] ?? [];
    expect(String(answer.headers['content-type'])).toContain(type);
    expect(problem(schema, type === 'text/plain' ? answer.text : answer.body)).toBeNull();
  });

  it.each(OPERATIONS)('%s: the examples of its answers and errors follow their schemas', (_name, operation) => {
    const { page } = documented(operation);
    const answers = Object.values(page.responses).flatMap(({ content }) => Object.values(content ?? {}));
    for (const { schema, example, examples } of answers) {
      const values = [
        ...(example === undefined ? [] : [example]),
        ...Object.values(examples ?? {}).map(({ value }) => value),
      ];
      for (const value of values) expect(problem(schema, value)).toBeNull();
    }
    expect(Object.keys(page.responses)).toEqual(
      expect.arrayContaining(
        operation.scope === 'open' ? ['200', '403', '500'] : ['200', '400', '401', '403', '500', '503'],
      ),
    );
  });

  it('shows an example of every query field that follows its schema', () => {
    const parameters = Object.values(document.paths)
      .flatMap((verbs) => Object.values(verbs))
      .flatMap(({ parameters: some = [] }) => some)
      .filter((one) => one.in === 'query');
    expect(parameters.length).toBeGreaterThan(0);
    for (const { name, schema } of parameters) expect([name, problem(schema, schema.example)]).toEqual([name, null]);
  });

  it('a schema that an answer does not follow is found', () => {
    const { page } = documented(OPERATIONS.find(([name]) => name === 'ReceiptsController.list')![1]);
    const { schema } = page.responses['200']!.content!['application/json']!;
    expect(problem(schema, { receipts: [{ ingest_seq: 1 }], next_cursor: null })).toContain("property 'state'");
    expect(problem(schema, { receipts: [], next_cursor: 'two' })).toContain('next_cursor must be integer');
    expect(problem(schema, { receipts: [] })).toContain('next_cursor');
  });

  it('is built once, and not before an application is named', async () => {
    const openApi = admin.app.get(OpenApi);
    expect(await openApi.document()).toBe(await openApi.document());
    await expect(new OpenApi().document()).rejects.toMatchObject({ code: ErrorCode.Internal });
  });
});
