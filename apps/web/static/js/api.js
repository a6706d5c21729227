/** The REST part of the server: JSON in and out. A refusal is thrown as ApiError with both texts. */

import { reason } from "./words.js";

export class ApiError extends Error {
  /**
   * @param {number} status
   * @param {any} body
   */
  constructor(status, body) {
    super(body?.en ?? `HTTP ${status}`);
    this.status = status;
    this.text = reason({ zh: body?.zh ?? `服务器回了 ${status}`, en: body?.en ?? `the server answered ${status}`, problems: body?.problems });
  }

  /** Is it the network or the server's own trouble, so that the same may go well later? */
  get passing() {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }
}

/**
 * @param {string} path below /api/
 * @param {{body?: any, token?: string | null, text?: boolean}} [options] a body makes it a POST; `text`: the answer is no JSON
 * @returns {Promise<any>}
 */
export async function api(path, { body, token, text } = {}) {
  /** @type {Record<string, string>} */
  const headers = {};
  if (token) headers["Authorization"] = `Bearer ${token}`;
  if (body !== undefined) headers["Content-Type"] = typeof body === "string" ? "text/plain; charset=utf-8" : "application/json";
  let answer;
  try {
    answer = await fetch(`/api/${path}`, {
      method: body === undefined ? "GET" : "POST",
      headers,
      body: body === undefined ? null : typeof body === "string" ? body : JSON.stringify(body),
    });
  } catch {
    throw new ApiError(0, { zh: "连不上服务器，看看网络", en: "the server cannot be reached; is the network there?" });
  }
  if (!answer.ok) throw new ApiError(answer.status, await answer.json().catch(() => null));
  return text ? answer.text() : answer.json();
}
