#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
/*
 * A fake Borgee server for benchmarks: the BPP side that borgee-plugin-sdk 0.13.1 speaks, on 127.0.0.1 only.
 *
 *   GET /ws/plugin (WebSocket, "Authorization: Bearer <key>", no subprotocol, no compression)
 *   plugin -> server: connect, semantic_action (get_me, send_message, edit_message, delete_message, ...),
 *                     task_started, task_finished, typing, heartbeat, agent_config_ack
 *   server -> plugin: inbound_message, semantic_action_result, ping
 *
 * SDK 0.13.1 sends no acknowledgement on the wire (delivery.checkpoint() is local), so the implementation under
 * test reports it over a second, plain TCP connection (the report port), one line each:
 *   G                              start sending now
 *   A <message_id> <monotonic_ns>  receipt committed and checkpointed (returns one credit of the window)
 *   H <message_id> <monotonic_ns>  handler (turn) started
 *   D <message_id> <monotonic_ns>  receipt terminal (completed or failed) and committed
 *   E                              all done: the server prints its JSON summary and ends
 * A must be sent at once, D too in mode 'idle', H too in mode 'control'; otherwise H and D may be sent at the end. Times are
 * CLOCK_MONOTONIC (time.monotonic_ns(), process.hrtime.bigint()), one clock for all processes of the machine.
 *
 * Options: --credit done  return the credit on D instead of A (closed loop: one idle turn at a time with --window 1)
 *          --count K --channels C --window W (0 = no flow control) --body BYTES
 *          --drop-after N   cut the TCP connection once after N messages were sent, then accept the reconnect
 *          --resend         after a reconnect send again what was sent but never acknowledged (a server that keeps them)
 *          --gap-ms G         pause between a returned credit and the next message
 *          --control-only     every message is "/status" on one channel (with --credit start: one at a time)
 *          --control-every N  every N-th message is "/status" instead of text
 */
'use strict';
const http = require('http');
const net = require('net');
const crypto = require('crypto');
const { WebSocketServer } = require('ws');

function option(name, fallback) {
  const i = process.argv.indexOf('--' + name);
  if (i < 0) return fallback;
  const next = process.argv[i + 1];
  return next === undefined || next.startsWith('--') ? true : isNaN(Number(next)) ? next : Number(next);
}
const COUNT = option('count', 2000);
const CHANNELS = option('channels', 50);
const WINDOW = option('window', 256);
const BODY = option('body', 200);
const DROP_AFTER = option('drop-after', 0);
const RESEND = option('resend', false);
const CREDIT = option('credit', 'ack'); // 'done': the next message leaves only when the turn is over
const CONTROL_EVERY = option('control-every', 0);
const GAP = option('gap-ms', 0); // pause between a returned credit and the next message
const CONTROL_ONLY = option('control-only', false);
const KEY = process.env.BORGEE_API_KEY || 'bgr_bench';
const AGENT = option('agent', 'agent-bench');

const now = () => process.hrtime.bigint();
const uuid = (kind, i) => {
  const h = crypto.createHash('md5').update(kind + i).digest('hex');
  return `${h.slice(0, 8)}-${h.slice(8, 12)}-${h.slice(12, 16)}-${h.slice(16, 20)}-${h.slice(20)}`;
};
const lorem = 'lorem ipsum dolor sit amet '.repeat(Math.ceil(BODY / 27) + 1);

const messages = [];
const byId = new Map();
for (let i = 0; i < COUNT; i++) {
  const m = { id: uuid('message', i), channel: uuid('channel', i % CHANNELS), sent: 0n, sends: 0, ack: 0n, start: 0n, done: 0n, answer: 0n };
  m.body = CONTROL_ONLY || (CONTROL_EVERY && i % CONTROL_EVERY === CONTROL_EVERY - 1) ? '/status' : (`m${String(i).padStart(6, '0')} ` + lorem).slice(0, BODY);
  messages.push(m);
  byId.set(m.id, m);
}
let next = 0;
let outstanding = 0;
let acked = 0;
let socket = null;
let going = false;
let dropped = false;
let connections = 0;
const frames = {};
const closes = [];
let outbound = 0;

const server = http.createServer((req, res) => {
  res.writeHead(404);
  res.end();
});
const wss = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: 8 << 20 });
server.on('upgrade', (req, sock, head) => {
  if (req.url !== '/ws/plugin' || req.headers.authorization !== `Bearer ${KEY}`) {
    sock.end('HTTP/1.1 401 Unauthorized\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
    return;
  }
  sock.setNoDelay(true);
  wss.handleUpgrade(req, sock, head, (ws) => accept(ws, sock));
});

function accept(ws, raw) {
  connections += 1;
  if (socket && socket.readyState === 1) socket.close(1000, 'replaced');
  socket = ws;
  ws.raw = raw;
  ws.on('error', () => {});
  ws.on('close', (code) => {
    closes.push(code);
    if (socket === ws) socket = null;
  });
  ws.on('message', (data) => {
    const t = now();
    const frame = JSON.parse(data);
    frames[frame.type] = (frames[frame.type] || 0) + 1;
    if (frame.type === 'connect') {
      if (connections > 1 && going) {
        if (RESEND) {
          for (const m of messages.slice(0, next)) if (!m.ack) push(ws, m);
        } else {
          // what was sent on the old connection will never be acknowledged: give its credits back
          outstanding = 0;
        }
        pump();
      }
    } else if (frame.type === 'semantic_action') {
      action(ws, frame, t);
    } else if (frame.type === 'ping') {
      ws.send('{"type":"pong"}');
    }
  });
}

function action(ws, frame, t) {
  let payload = '';
  let status = 'ok';
  let error = '';
  if (frame.action === 'get_me') {
    payload = JSON.stringify({ id: AGENT, display_name: 'Bench Agent', role: 'agent', permissions: ['channel.read', 'message.send'] });
  } else if (frame.action === 'send_message') {
    const body = JSON.parse(frame.payload);
    payload = JSON.stringify({ message_id: uuid('outbound', outbound++) });
    const m = body.reply_to_id ? byId.get(body.reply_to_id) : undefined;
    if (m && !m.answer) m.answer = t;
  } else if (frame.action === 'edit_message' || frame.action === 'delete_message') {
    payload = '';
  } else {
    status = 'error';
    error = 'unsupported_action';
  }
  ws.send(JSON.stringify({ type: 'semantic_action_result', nonce: frame.nonce, status, payload, error }));
}

function push(ws, m) {
  const i = byId.size;
  const frame = {
    type: 'inbound_message',
    agent_id: AGENT,
    channel_id: m.channel,
    channel_type: 'channel',
    conversation_context: { guild_id: uuid('guild', 0), top_level_channel_id: m.channel },
    kind: 'message',
    message_id: m.id,
    author_id: uuid('author', i % 7),
    author_name: 'Some Author',
    body: m.body,
    content_type: 'text/plain',
    msg_type: 'text',
    created_at: Date.now(),
    emoji: '',
    reactor_id: '',
    reaction_added: false,
  };
  m.sends += 1;
  m.sent = m.sent || now();
  ws.send(JSON.stringify(frame));
}

function pump() {
  if (!GAP) return pumpNow();
  if (!gapTimer && going && next < COUNT && outstanding < WINDOW) {
    gapTimer = setTimeout(() => {
      gapTimer = null;
      pumpNow();
    }, GAP);
  }
}
let gapTimer = null;
function pumpNow() {
  while (going && socket && socket.readyState === 1 && next < COUNT && (WINDOW === 0 || outstanding < WINDOW)) {
    outstanding += 1;
    push(socket, messages[next++]);
    if (DROP_AFTER && !dropped && next >= DROP_AFTER) {
      dropped = true;
      // let the frames reach the peer's receive buffer, then cut the connection as a network does
      const s = socket;
      setTimeout(() => s.raw.destroy(), Number(option('drop-delay', 5)));
      return;
    }
  }
}

let finished = false;
let reporters = 0; // more than one process may report
const report = net.createServer((conn) => {
  conn.setNoDelay(true);
  let rest = '';
  conn.on('error', () => {});
  reporters += 1;
  conn.on('close', () => {
    reporters -= 1;
    setTimeout(() => {
      if (reporters || finished) return;
      process.stdout.write('{"error": "the report connection was closed without E"}\n', () => process.exit(4));
    }, 500);
  });
  conn.on('data', (chunk) => {
    const lines = (rest + chunk.toString('latin1')).split('\n');
    rest = lines.pop();
    for (const line of lines) {
      const [kind, id, t] = line.split(' ');
      const m = id && byId.get(id);
      if (kind === 'A' && m) {
        if (!m.ack) {
          m.ack = BigInt(t);
          acked += 1;
          if (CREDIT === 'ack') outstanding -= 1;
        }
      } else if (kind === 'H' && m) {
        if (!m.start && CREDIT === 'start') outstanding -= 1;
        m.start = m.start || BigInt(t);
      }
      else if (kind === 'D' && m) {
        if (!m.done && CREDIT === 'done') outstanding -= 1;
        m.done = m.done || BigInt(t);
      }
      else if (kind === 'G') going = true;
      else if (kind === 'E') return finish();
    }
    pump();
  });
});

function ms(list) {
  list.sort((a, b) => a - b);
  const at = (q) => (list.length ? list[Math.max(0, Math.min(list.length - 1, Math.ceil(q * list.length) - 1))] : null);
  return { n: list.length, p50: at(0.5), p99: at(0.99), max: at(1) };
}
function finish() {
  finished = true;
  const d = (from, to) => messages.filter((m) => m[from] && m[to]).map((m) => Number(m[to] - m[from]) / 1e6);
  const first = messages.reduce((a, m) => (m.sent && m.sent < a ? m.sent : a), 1n << 62n);
  const last = (k) => messages.reduce((a, m) => (m[k] > a ? m[k] : a), 0n);
  const rate = (k) => {
    const n = messages.filter((m) => m[k]).length;
    const l = last(k);
    return n && l > first ? n / (Number(l - first) / 1e9) : 0;
  };
  const summary = {
    sent: messages.filter((m) => m.sends).length,
    acked,
    started: messages.filter((m) => m.start).length,
    done: messages.filter((m) => m.done).length,
    answered: messages.filter((m) => m.answer).length,
    lost: messages.filter((m) => m.sends && !m.ack).length,
    connections,
    closes,
    frames,
    ack_ms: ms(d('sent', 'ack')),
    start_ms: ms(d('sent', 'start')),
    answer_ms: ms(d('sent', 'answer')),
    done_ms: ms(d('sent', 'done')),
    turn_ms: ms(d('start', 'done')),
    acked_per_s: rate('ack'),
    started_per_s: rate('start'),
    answered_per_s: rate('answer'),
    done_per_s: rate('done'),
  };
  process.stdout.write(JSON.stringify(summary) + '\n', () => process.exit(0));
}

server.listen(0, '127.0.0.1', () => {
  report.listen(0, '127.0.0.1', () => {
    process.stdout.write(JSON.stringify({ port: server.address().port, report_port: report.address().port, pid: process.pid }) + '\n');
  });
});
setTimeout(() => process.exit(3), Number(option('ttl', 90)) * 1000).unref();
process.on('SIGTERM', () => process.exit(0));
process.stdin.on('end', () => process.exit(0)).resume(); // the parent is gone
