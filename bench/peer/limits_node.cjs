#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
/*
 * Physical limits of this machine, Node side: fsync'd append, better-sqlite3 durable commits, ws and http loopback.
 *   node limits_node.cjs --worker CASE JSON      one repeat, prints one JSON line
 *   node limits_node.cjs --serve ws|http         the other end of the loopback cases, prints its port
 *   node limits_node.cjs --versions              versions of what is measured
 * limits_node.py runs the repeats and writes the JSON.
 */
'use strict';
const fs = require('fs');
const os = require('os');
const path = require('path');
const http = require('http');
const net = require('net');
const crypto = require('crypto');
const { fork } = require('child_process');

const benchRoot = path.resolve(process.env.BENCH_ROOT || path.join(os.tmpdir(), 'angelia-bench'));
const root = path.join(benchRoot, 'work');
const ns = () => process.hrtime.bigint();
function latencies(list, name) {
  list.sort((a, b) => a - b);
  const at = (q) => list[Math.max(0, Math.min(list.length - 1, Math.ceil(q * list.length) - 1))];
  return { [name + '_p50_ms']: at(0.5), [name + '_p99_ms']: at(0.99), [name + '_max_ms']: at(1) };
}
const since = (t) => Number(ns() - t) / 1e6;
function hwm() {
  const m = /VmHWM:\s+(\d+)/.exec(fs.readFileSync('/proc/self/status', 'utf8'));
  return Number(m[1]) / 1024;
}
function written() {
  return Number(/^write_bytes: (\d+)/m.exec(fs.readFileSync('/proc/self/io', 'utf8'))[1]);
}

const cases = {
  append(p, dir) {
    const block = crypto.randomBytes(1024);
    const fd = fs.openSync(path.join(dir, 'log'), 'a');
    const sync = p.sync === 'fsync' ? fs.fsyncSync : fs.fdatasyncSync;
    const lat = [];
    const t0 = ns();
    for (let i = 0; i < p.n / p.group; i++) {
      const t = ns();
      for (let j = 0; j < p.group; j++) fs.writeSync(fd, block);
      sync(fd);
      lat.push(since(t));
    }
    const wall = since(t0) / 1e3;
    return { records_per_s: p.n / wall, ...latencies(lat, 'sync') };
  },

  sqlite(p, dir) {
    const Database = require('better-sqlite3');
    const db = new Database(path.join(dir, 'db.sqlite3'));
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = FULL');
    let statement;
    const receipt = p.schema !== undefined; // 'receipt': the peer's keys; 'receipt_small': dedupe key as a 16-byte hash, token index partial
    if (receipt) {
      const small = p.schema === 'receipt_small';
      if (small) {
        db.exec(`CREATE TABLE receipts(ingest_seq INTEGER PRIMARY KEY, channel_id TEXT NOT NULL, message_id TEXT NOT NULL,
          lane INTEGER NOT NULL, body TEXT NOT NULL, payload_hash BLOB NOT NULL, dedupe_key BLOB NOT NULL UNIQUE,
          status INTEGER NOT NULL, claim_token TEXT, created_at REAL NOT NULL);
          CREATE INDEX i1 ON receipts(lane, ingest_seq) WHERE status < 2;`);
        statement = db.prepare('INSERT INTO receipts(channel_id, message_id, lane, body, payload_hash, dedupe_key, status, created_at) VALUES (?,?,?,?,?,?,0,?)');
      } else {
      db.exec(`CREATE TABLE receipts(ingest_seq INTEGER PRIMARY KEY AUTOINCREMENT, channel_id TEXT NOT NULL, message_id TEXT NOT NULL,
        session_key TEXT NOT NULL, body TEXT NOT NULL, payload_hash TEXT NOT NULL, dedupe_key TEXT NOT NULL UNIQUE,
        status TEXT NOT NULL, claim_token TEXT UNIQUE, created_at REAL NOT NULL);
        CREATE INDEX i1 ON receipts(status, ingest_seq);
        CREATE INDEX i2 ON receipts(session_key, status, ingest_seq);`);
      statement = db.prepare("INSERT INTO receipts(channel_id, message_id, session_key, body, payload_hash, dedupe_key, status, created_at) VALUES (?,?,?,?,?,?,'pending',?)");
      }
    } else {
      db.exec('CREATE TABLE t(id INTEGER PRIMARY KEY, body BLOB NOT NULL)');
      statement = db.prepare('INSERT INTO t(body) VALUES (?)');
    }
    const block = crypto.randomBytes(1024);
    const body = 'x'.repeat(200);
    let i = 0;
    const insert = () => {
      if (!receipt) return statement.run(block);
      if (p.schema === 'receipt_small') {
        const h = crypto.randomBytes(32);
        return statement.run('c' + String(i % 50).padStart(35, '0'), h.toString('hex').slice(0, 36), i++ % 50, body, h, h.subarray(0, 16), Date.now() / 1e3);
      }
      const h = crypto.randomBytes(32).toString('hex');
      const channel = 'c' + String(i++ % 50).padStart(35, '0');
      return statement.run(channel, h.slice(0, 36), `agent:main:borgee:channel:${channel}`, body, h, `message:${channel}:${h.slice(0, 36)}:${h}`, Date.now() / 1e3);
    };
    const many = db.transaction(() => {
      for (let j = 0; j < p.group; j++) insert();
    }).immediate;
    const lat = [];
    const w0 = written();
    const t0 = ns();
    for (let k = 0; k < p.n / p.group; k++) {
      const t = ns();
      many();
      lat.push(since(t));
    }
    const wall = since(t0) / 1e3;
    const bytes = written() - w0;
    db.close();
    return { rows_per_s: p.n / wall, ...latencies(lat, 'commit'), disk_written_per_row_bytes: bytes / p.n };
  },

  async ws(p) {
    const { WebSocket } = require('ws');
    const child = fork(__filename, ['--serve', 'ws'], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    const port = await new Promise((r) => child.once('message', r));
    const socket = new WebSocket(`ws://127.0.0.1:${port}`, { perMessageDeflate: false });
    await new Promise((r) => socket.once('open', r));
    const message = 'x'.repeat(1024);
    const lat = [];
    const started = [];
    let sent = 0;
    let got = 0;
    const t0 = ns();
    await new Promise((resolve) => {
      const send = () => {
        started.push(ns());
        socket.send(message);
        sent += 1;
      };
      socket.on('message', () => {
        lat.push(since(started[got]));
        got += 1;
        if (got >= p.n) return resolve();
        if (sent < p.n) send();
      });
      for (let k = 0; k < p.window; k++) send();
    });
    const wall = since(t0) / 1e3;
    socket.terminate();
    child.kill();
    return { messages_per_s: p.n / wall, ...latencies(lat, 'echo') };
  },

  async http(p) {
    const child = fork(__filename, ['--serve', 'http'], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    const port = await new Promise((r) => child.once('message', r));
    const lat = [];
    const body = JSON.stringify({ x: 'y'.repeat(1000) });
    let left = p.n;
    const t0 = ns();
    if (p.client === 'agent') {
      const agent = new http.Agent({ keepAlive: true, maxSockets: p.connections });
      const one = () =>
        new Promise((resolve, reject) => {
          const t = ns();
          const req = http.request({ agent, host: '127.0.0.1', port, method: 'POST', path: '/', headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) } }, (res) => {
            res.resume();
            res.on('end', () => {
              lat.push(since(t));
              resolve();
            });
          });
          req.on('error', reject);
          req.end(body);
        });
      await Promise.all(Array.from({ length: p.connections }, async () => {
        while (left-- > 0) await one();
      }));
      agent.destroy();
    } else {
      // a raw socket per connection that only counts response bytes: shows what the server can do
      const raw = `POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
      await Promise.all(Array.from({ length: p.connections }, () => new Promise((resolve, reject) => {
        const s = net.connect(port, '127.0.0.1');
        s.setNoDelay(true);
        let t;
        const go = () => {
          if (left-- <= 0) {
            s.destroy();
            return resolve();
          }
          t = ns();
          s.write(raw);
        };
        s.on('connect', go);
        s.on('error', reject);
        s.on('data', (d) => {
          if (d.includes('"ok":true}')) {
            lat.push(since(t));
            go();
          }
        });
      })));
    }
    const wall = since(t0) / 1e3;
    child.kill();
    return { requests_per_s: p.n / wall, ...latencies(lat, 'request') };
  },
};

function serve(kind) {
  const say = (port) => (process.send ? process.send(port) : console.log(port)); // forked, or started by another program
  if (kind === 'ws') {
    const { WebSocketServer } = require('ws');
    const wss = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false }, () => say(wss.address().port));
    wss.on('connection', (ws) => ws.on('message', (data) => ws.send(data, { binary: false })));
  } else {
    const server = http.createServer((req, res) => {
      const parts = [];
      req.on('data', (d) => parts.push(d));
      req.on('end', () => {
        JSON.parse(Buffer.concat(parts));
        const out = '{"ok":true}';
        res.writeHead(200, { 'content-type': 'application/json', 'content-length': out.length });
        res.end(out);
      });
    });
    server.listen(0, '127.0.0.1', () => say(server.address().port));
  }
  process.on('disconnect', () => process.exit(0));
}

async function main() {
  if (process.argv[2] === '--serve') return serve(process.argv[3]);
  if (process.argv[2] === '--versions') {
    const Database = require('better-sqlite3');
    const sqlite = new Database(':memory:').prepare('select sqlite_version() v').get().v;
    const version = (name) => require(name + '/package.json').version;
    return console.log(process.version, 'better-sqlite3', version('better-sqlite3'), 'sqlite', sqlite, 'ws', version('ws'));
  }
  const name = process.argv[3];
  const p = JSON.parse(process.argv[4]);
  fs.mkdirSync(root, { recursive: true });
  const dir = fs.mkdtempSync(path.join(root, 'node-'));
  try {
    const result = await cases[p.kind || name](p, dir);
    result.peak_rss_mib = hwm();
    process.stdout.write(JSON.stringify(result) + '\n');
  } finally {
    fs.rmSync(dir, { recursive: true, force: true });
  }
}
main().then(() => process.exitCode || (process.argv[2] === '--serve' ? 0 : process.exit(0)), (e) => {
  console.error(e);
  process.exit(1);
});
