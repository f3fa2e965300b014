// SPDX-License-Identifier: Apache-2.0
import type { INestApplicationContext } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiBody,
  ApiOperation,
  ApiParam,
  ApiProperty,
  ApiResponse,
  DocumentBuilder,
  getSchemaPath,
  SwaggerModule,
  type ApiPropertyOptions,
  type OpenAPIObject,
} from '@nestjs/swagger';
import { ERROR_SENTENCES, ErrorCode } from '../../../common/errors.js';
import { ErrorAnswer } from '../api/error.dto.js';
import { ERROR_STATUS } from '../api/error-status.js';
import { exampleOf, fieldsOf, type Described, type FieldDescription } from './field.js';
import { allOperations, type RegisteredOperation } from './operation.js';

/** Errors that every operation may answer with. */
const COMMON_ERRORS = [ErrorCode.HostRefused, ErrorCode.Internal];
/** Errors of operations that ask for a token. */
const TOKEN_ERRORS = [
  ErrorCode.AdminTokenRefused,
  ErrorCode.ScopeMissing,
  ErrorCode.RequestInvalid,
  ErrorCode.LedgerWriteFailed,
];

let models: ReadonlySet<Described> | undefined;

/**
 * Builds the OpenAPI document of the running application (OPS-2). This file is loaded only when the document is asked for: @nestjs/swagger takes
 * some 20 MB, so its decorators are applied here, from the descriptions that stand beside controllers and fields.
 */
export function buildOpenApiDocument(app: INestApplicationContext): OpenAPIObject {
  models ??= describeEverything();
  const config = new DocumentBuilder()
    .setTitle('Angelia admin interface')
    .setDescription('What is stuck and why, and the decisions about it. docs/operations.md explains the words.')
    .setVersion('1')
    .addBearerAuth({ type: 'http', scheme: 'bearer', description: 'A token of the state folder, such as admin.token.' })
    .build();
  const served = app as Parameters<typeof SwaggerModule.createDocument>[0];
  return SwaggerModule.createDocument(served, config, { extraModels: [...models] });
}

/** Applies all decorators; once in the life of the process, for some of them add up. @returns every described class */
function describeEverything(): ReadonlySet<Described> {
  const described = new Set<Described>([ErrorAnswer]);
  for (const operation of allOperations()) describeOperation(operation, described);
  for (const type of described) describeFields(type, described);
  return described;
}

function describeOperation(operation: RegisteredOperation, described: Set<Described>): void {
  const { controller, method, summary, description, scope, answer, also, example } = operation;
  const prototype = controller.prototype as object;
  const descriptor = Object.getOwnPropertyDescriptor(prototype, method);
  if (descriptor === undefined) return;
  const scopeText = scope === 'open' ? 'Needs no token.' : `Needs a token with the scope \`${scope}\`.`;
  const decorators: MethodDecorator[] = [
    ApiOperation({
      summary,
      description: [description, scopeText].filter((text) => text !== undefined).join(' '),
      operationId: `${controller.name}.${method}`,
    }),
    ...(scope === 'open' ? [] : [ApiBearerAuth()]),
    ...[{ status: 200, description: summary }, ...(also === undefined ? [] : [also])].map((one) =>
      ApiResponse({ ...one, ...contentOf(answer) }),
    ),
    ...errorsOf(operation),
    ...parametersOf(operation),
  ];
  const body = bodyOf(operation);
  if (body !== null) {
    decorators.push(ApiBody({ type: body, examples: { works: { value: example.body } } }));
  }
  if (typeof answer !== 'string') described.add(answer);
  for (const type of parameterTypes(controller, method)) if (fieldsOf(type).size > 0) described.add(type);
  for (const decorate of decorators) decorate(prototype, method, descriptor);
}

function contentOf(answer: RegisteredOperation['answer']): object {
  if (answer === 'text') return { content: { 'text/plain': { schema: { type: 'string' } } } };
  if (answer === 'json') return { content: { 'application/json': { schema: { type: 'object' } } } };
  return {
    content: { 'application/json': { schema: { $ref: getSchemaPath(answer) }, example: exampleOf(answer) } },
  };
}

/** One response for each status, with an example for each code. */
function errorsOf({ scope, errors = [] }: RegisteredOperation): MethodDecorator[] {
  const codes = [...COMMON_ERRORS, ...(scope === 'open' ? [] : TOKEN_ERRORS), ...errors];
  const byStatus = Map.groupBy(new Set(codes), (code) => ERROR_STATUS[code]);
  return [...byStatus].map(([status, same]) =>
    ApiResponse({
      status,
      description: same.map((code) => ERROR_SENTENCES[code]).join(' '),
      content: {
        'application/json': {
          schema: { $ref: getSchemaPath(ErrorAnswer) },
          examples: Object.fromEntries(
            same.map((code) => [code, { value: { code, sentence: ERROR_SENTENCES[code], details: {} } }]),
          ),
        },
      },
    }),
  );
}

/** The parameters of the path; those of the query are found by their class. */
function parametersOf({ controller, method, example }: RegisteredOperation): MethodDecorator[] {
  const path = parameterTypes(controller, method).find((type) =>
    Object.keys(example.path ?? {}).some((name) => fieldsOf(type).has(name)),
  );
  if (path === undefined) return [];
  return [...fieldsOf(path)].map(([name, field]) =>
    ApiParam({
      name,
      description: field.description,
      schema: { ...schemaOf(field), example: example.path?.[name] },
    }),
  );
}

function bodyOf({ controller, method, example }: RegisteredOperation): Described | null {
  const names = Object.keys(example.body ?? {});
  if (names.length === 0) return null;
  return parameterTypes(controller, method).find((type) => names.every((name) => fieldsOf(type).has(name))) ?? null;
}

function parameterTypes(controller: RegisteredOperation['controller'], method: string): Described[] {
  return (
    (Reflect.getMetadata('design:paramtypes', controller.prototype as object, method) as Described[] | undefined) ?? []
  );
}

/** Applies the descriptions of a class and of those inside it. Adding to a set while it is walked through continues the walk. */
function describeFields(type: Described, described: Set<Described>): void {
  for (const [name, field] of fieldsOf(type)) {
    ApiProperty(propertyOf(field))(type.prototype as object, name);
    if (field.of !== undefined) described.add(field.of());
  }
}

function propertyOf(field: FieldDescription): ApiPropertyOptions {
  const { description, of, list = false, nullable = false, optional = false, example } = field;
  const common = {
    description,
    required: !optional,
    ...(nullable && { nullable }),
    ...(example !== undefined && { example }),
  };
  if (of !== undefined && nullable) {
    const anyOf = [{ $ref: getSchemaPath(of()) }, { type: 'object', nullable: true, enum: [null] }];
    return { description, required: !optional, anyOf };
  }
  if (of !== undefined) return { ...common, type: () => of(), isArray: list };
  if (list) return { ...common, type: 'array', items: schemaOf(field) };
  return { ...common, ...schemaOf(field) };
}

function schemaOf({ type = 'string', format, enum: values, minimum, maximum, maxLength }: FieldDescription): object {
  if (type === 'map') {
    const anyOf = [{ type: 'number' }, { type: 'string', nullable: true }, { type: 'boolean' }];
    return { type: 'object', additionalProperties: { anyOf } };
  }
  return {
    type,
    ...(format !== undefined && { format }),
    ...(values !== undefined && { enum: [...values] }),
    ...(minimum !== undefined && { minimum }),
    ...(maximum !== undefined && { maximum }),
    ...(maxLength !== undefined && { maxLength }),
  };
}
