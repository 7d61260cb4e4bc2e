/* A macro's arguments that go on to the end. */
#define F(a) a
init { F(skip
}
