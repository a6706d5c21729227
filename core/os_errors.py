"""What the operating system refuses, said in both languages."""

from __future__ import annotations

import errno
from typing import Final

from gunzi.errors import Text

_ZH: Final = {
    errno.ENOENT: "没有这个文件或文件夹",
    errno.EACCES: "没有权限",
    errno.EPERM: "没有权限",
    errno.EISDIR: "这是文件夹，不是文件",
    errno.ENOTDIR: "路径里有一段不是文件夹",
    errno.EEXIST: "文件已经有了",
    errno.ENOTEMPTY: "文件夹不是空的",
    errno.ENOSPC: "磁盘满了",
    errno.EDQUOT: "磁盘配额用完了",
    errno.EFBIG: "文件太大",
    errno.EROFS: "磁盘是只读的",
    errno.ENAMETOOLONG: "文件名太长",
    errno.ELOOP: "链接绕成了圈",
    errno.EIO: "读写出错",
    errno.EINVAL: "系统不接受这样的参数",
    errno.EBUSY: "正在被别的程序使用",
    errno.ETXTBSY: "正在被别的程序使用",
    errno.EMFILE: "打开的文件太多",
    errno.ENFILE: "系统里打开的文件太多",
    errno.ENOMEM: "内存不够",
    errno.EPIPE: "对方已经关了",
    errno.ENXIO: "没有这个设备",
    errno.ENODEV: "没有这个设备",
}


def os_text(error: OSError) -> Text:
    """Why the system refused, without saying on which file."""
    english = error.strerror or str(error) or type(error).__name__
    number = error.errno or 0
    return Text(_ZH.get(number, f"系统不让（错误 {number}，{english}）"), english)
